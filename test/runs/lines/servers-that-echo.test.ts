import { echoingCluster, type EchoStyle } from '../../support/cluster/echoing-cluster';
import { desiredText, type Ran } from '../../support/processes/cli';
import { blankMachine } from '../../support/runs/blank-machine';
import { runHere } from '../../support/runs/line-lab';

/** What fakes that keep what they are sent answer (docs/simulator-clients.md), and what comes of it. */
type Fake = Awaited<ReturnType<typeof echoingCluster>>;

const web = { ...blankMachine, node: 'pve', timeouts: { apply: '8s' } };

async function against(style: EchoStyle, work: (fake: Fake, run: Run) => Promise<void>) {
  const fake = await echoingCluster(style);
  const run: Run = (verb, ...words) => runWith(fake, web, verb, ...words);
  try {
    await work(fake, run);
  } finally {
    await fake.close();
  }
}

type Run = (verb: string, ...words: string[]) => Promise<Ran>;

const runWith = (fake: Fake, machine: object, verb: string, ...words: string[]): Promise<Ran> =>
  runHere([verb, '--spec', '-', ...words], fake.access, desiredText([machine]));

const isWritten = { code: 0, stderr: expect.not.stringMatching(/ERROR|\n +at /) as string };
const OVER = { status: 'stopped', exitstatus: 'OK' };

const STYLES: [string, EchoStyle][] = [
  ['in plain text, as the one of pvetui', {}],
  [
    'as mock-pve-api: rows of what waits, short ids of tasks, OK in place of stopped',
    {
      hasPending: true,
      gone: { status: 404, text: '{"errors":{"message":"VM not found"}}' },
      upid: ({ node, type, count }) => `UPID:${node}:${count}:1764386000:${type}:root@pam:`,
      task: isOver => (isOver ? { ...OVER, status: 'OK' } : { status: 'running', exitstatus: 'OK' }),
    },
  ],
  ['that knows no method where it lacks one', { lacks: { status: 405, text: '{"errors":["Not allowed"]}' } }],
];

test.each(STYLES)('a fake %s: a life of a machine, each write once, and nobody else is touched', (_, style) =>
  against(style, async (fake, run) => {
    const old = { name: 'old', memory: '1024', scsi0: 'local-lvm:vm-500-disk-0,size=32G', digest: 'd500' };
    fake.guests.set(500, { node: 'pve', status: 'stopped', config: { ...old }, snapshots: [] });
    expect(await run('doctor')).toMatchObject({ code: 0 });
    expect(await run('reconcile')).toMatchObject(isWritten);
    expect(fake.writes()).toEqual(['POST /nodes/pve/qemu', 'PUT /nodes/pve/qemu/10000/config']);
    expect(await run('reconcile')).toMatchObject(isWritten);
    expect(await run('plan', '--check')).toMatchObject({ code: 0 });
    expect(fake.writes()).toEqual([]);
    expect(await runWith(fake, { ...web, memory: '2Gi' }, 'reconcile')).toMatchObject(isWritten);
    expect(fake.writes()).toEqual(['PUT /nodes/pve/qemu/10000/config']);
    expect((await run('status')).stdout).toMatch(/^web +Stopped +pve +10000/m);
    expect(await run('snapshot', 'create', 'web', 'clean')).toMatchObject(isWritten);
    expect((await run('snapshot', 'list', 'web')).stdout).toMatch(/^clean /m);
    expect(await run('snapshot', 'delete', 'web', 'clean', '--yes')).toMatchObject(isWritten);
    expect(await run('power', 'start', 'web')).toMatchObject(isWritten);
    expect(await run('destroy', '--yes', 'web')).toMatchObject(isWritten);
    expect(fake.writes()).toEqual([
      ...['POST /nodes/pve/qemu/10000/snapshot', 'DELETE /nodes/pve/qemu/10000/snapshot/clean'],
      'POST /nodes/pve/qemu/10000/status/start',
      ...['POST /nodes/pve/qemu/10000/status/stop', 'DELETE /nodes/pve/qemu/10000?purge=1'],
    ]);
    expect([...fake.guests].map(([id, { config }]) => [id, config])).toEqual([[500, old]]);
  }),
);

/** A snapshot is asked for, and never shown. `task`: what is told of it. */
const withoutSnapshots = (task: object | undefined): EchoStyle => {
  const upid = 'UPID:pve:00000099:00000000:00000000:qmsnapshot:10000:root@pam:';
  return {
    answers: ({ method, path }) => {
      if (method === 'POST' && path.endsWith('/snapshot')) return upid;
      return path.includes(upid) ? task : undefined;
    },
  };
};

test.each<[string, object | undefined, number, RegExp]>([
  ['whose task ended well', OVER, 2, /everything was done and Proxmox still differs \(snapshots\[clean\]/],
  [
    'whose task nobody knows',
    undefined,
    3,
    /the server does not tell whether the task has ended\..*Run again/,
  ],
])('a snapshot %s and that is not shown is asked for a few times only', (_, task, times, said) =>
  against(withoutSnapshots(task), async (fake, run) => {
    expect((await run('reconcile')).code).toBe(0);
    fake.writes();
    const ran = await run('snapshot', 'create', 'web', 'clean');
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringMatching(said)]);
    expect(fake.writes()).toEqual(Array(times).fill('POST /nodes/pve/qemu/10000/snapshot'));
  }),
);

test('a guest that is answered in an unknown form: gc says what was answered, and not that a node is down', () =>
  against({}, async (fake, run) => {
    expect((await run('reconcile')).code).toBe(0);
    delete fake.guests.get(10_000)!.config['digest'];
    const { stdout } = await runHere(['gc', '--spec', '-'], fake.access, desiredText([]));
    expect(stdout).toMatch(
      /: VM 10000 on pve\. Proxmox answered for VM 10000: GET .*\(data\.digest: expected a digest/,
    );
    expect(stdout).not.toContain('node is up');
  }));
