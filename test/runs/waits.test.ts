import { setTimeout as sleep } from 'node:timers/promises';
import { applyEvent } from '../../simulator/events/apply';
import type { WorldEvent } from '../../simulator/events/event';
import { writes } from '../support/cluster/end-state';
import { foreignTask } from '../support/cluster/foreign-task';
import type { Json, Lab } from '../support/cluster/lab';
import { desired, errorsOf } from '../support/cluster/lab';
import { preparing } from '../support/runs/scenarios';
import { blankMachine as web } from '../support/runs/blank-machine';

const changed = { ...web, memory: '2Gi' };
const OURS = 10_000;

let open: Awaited<ReturnType<typeof preparing>>;
let cluster: Lab;
beforeAll(async () => {
  open = await preparing({ have: web, want: undefined });
});
beforeEach(async () => {
  cluster = await open();
});
afterEach(() => cluster.close());

const happens = (event: WorldEvent): void => applyEvent(cluster.simulator.sim, event);
const locked = (lock: string): void => happens({ kind: 'lock', vmid: OURS, lock });
const requests = (): string[] =>
  cluster.simulator.ledger.entries().map(({ method, path }) => `${method} ${path}`);

/** What people are told on the way. */
const lines = (): string[] =>
  cluster.events.flatMap(event =>
    event.kind === 'progress' || event.kind === 'warning' ? [event.text] : [],
  );

/** Does it while something stands in the way for so long, or until that is told; then takes it away. */
async function besides(work: Promise<string[]>, ms: number | 'told', end: () => void) {
  let isDone = false;
  const ended = work.finally(() => (isDone = true));
  if (ms !== 'told') await sleep(ms);
  while (ms !== SHORT_MS && !isDone && lines().length === 0) await sleep(10);
  const during = { isDone, requests: requests(), writes: writes(cluster.simulator), lines: lines() };
  end();
  return { during, errors: await ended };
}

// the pauses of a lab are forty times as short as those of a user: 4 s here are 160 s there
const LONG_MS = 4_000;
// too short for a word about the wait
const SHORT_MS = 300;

describe('what stays in the way', () => {
  const hindrances: Record<string, { begin: () => void; end: () => void; told: RegExp }> = {
    'a lock of the configuration': {
      begin: () => locked('backup'),
      end: () => locked(''),
      told: /^waits for guest 10000 on pve1, which is locked \(backup\) by no task that can be seen: if none runs, `qm unlock 10000` on pve1 lifts it: \d+s so far, at most 15m\.$/,
    },
    'a quorum that is lost': {
      begin: () => happens({ kind: 'quorum', quorate: false }),
      end: () => happens({ kind: 'quorum', quorate: true }),
      told: /^waits for the quorum of the cluster, without which Proxmox writes nothing to any machine: \d+s so far, at most 15m\.$/,
    },
  };

  test.each(Object.entries(hindrances))(
    '%s: few requests, one line, no write; then it is done',
    async (_, { begin, end, told }) => {
      begin();
      const { during, errors } = await besides(cluster.bring(changed), LONG_MS, end);
      expect(during.isDone).toBe(false);
      expect(during.writes).toEqual([]);
      expect(during.lines).toEqual([expect.stringMatching(told)]);
      expect(during.requests.length).toBeLessThanOrEqual(60);
      expect(errors).toEqual([]);
      expect(cluster.world.guests[OURS]!.config['memory']).toBe('2048');
    },
  );

  test('a quorum that is lost: many machines share the looks and the line', async () => {
    happens({ kind: 'quorum', quorate: false });
    const many = [1, 2, 3, 4, 5, 6, 7, 8].map(number => ({ ...web, id: `new-${number}` }));
    const work = cluster.run(desired(many)).then(errorsOf);
    const { during, errors } = await besides(work, LONG_MS, () => happens({ kind: 'quorum', quorate: true }));
    expect(during).toMatchObject({ isDone: false, writes: [], lines: [expect.stringContaining('quorum')] });
    expect(during.requests.length).toBeLessThanOrEqual(100);
    expect(errors).toEqual([]);
  });

  test.each(Object.entries(hindrances))(
    '%s: a machine that needs nothing waits for nothing',
    async (_, { begin }) => {
      begin();
      expect(await cluster.bring(web)).toEqual([]);
      expect(lines()).toEqual([]);
    },
  );
});

test('what is tried again is told once, and then counted', async () => {
  const text = "can't lock file '/var/lock/qemu-server/lock-10000.conf' - got timeout";
  cluster.simulator.faults.add({
    methods: ['PUT'],
    path: '/nodes/*/qemu/10000/config',
    count: 4,
    effect: { kind: 'answer', status: 500, text },
  });
  expect(await cluster.bring(changed)).toEqual([]);
  expect(lines()).toEqual([
    `PUT /nodes/pve1/qemu/10000/config: 500 ${text}. It is tried again.`,
    expect.stringMatching(/^tried again 4 times in \d+s\.$/),
  ]);
});

test('a cluster that does not say how far it is with a machine is told of once, and until when it is asked', async () => {
  cluster.simulator.faults.add({
    methods: ['GET'],
    path: '/nodes/*/tasks/*/status',
    count: 3,
    effect: { kind: 'answer', status: 500, text: 'gone' },
  });
  expect(await cluster.bring({ ...web, id: 'other' })).toEqual([]);
  const until = '\\d+m, until \\d{4}-\\S+Z';
  expect(lines()).toEqual([
    expect.stringMatching(
      `^GET /nodes/pve1/tasks/UPID\\S+/status: 500 gone\\. Proxmox goes on with what it was told\\. How far it is, is asked again for at most ${until}\\.$`,
    ),
  ]);
});

describe('running tasks of others', () => {
  const ofOurs = { id: String(OURS), user: 'eve@pve' };

  test.each(['vncproxy', 'termproxy', 'spiceproxy', 'vzdump', 'qmreset', 'download'])(
    'a change waits for no %s',
    async type => {
      const task = foreignTask(cluster.simulator, { type, ...ofOurs });
      expect(await cluster.bring(changed)).toEqual([]);
      expect(cluster.world.guests[OURS]!.config['memory']).toBe('2048');
      task.stop();
    },
  );

  test.each(['resize', 'qmconfig', 'qmsnapshot', 'qmshutdown', 'qmclone'])(
    'a change waits for a %s of the machine',
    async type => {
      const task = foreignTask(cluster.simulator, { type, ...ofOurs });
      const { during, errors } = await besides(cluster.bring(changed), SHORT_MS, task.stop);
      expect(during).toMatchObject({ isDone: false, writes: [], lines: [] });
      expect(errors).toEqual([]);
    },
  );

  test('what is waited for is said: the task, whose, where, since when, and how long at most', async () => {
    const task = foreignTask(cluster.simulator, { type: 'qmmove', ...ofOurs });
    const { during, errors } = await besides(cluster.bring(changed), 'told', task.stop);
    expect(during.lines).toEqual([
      expect.stringMatching(
        /^waits for qmmove of 10000 by eve@pve on pve1 since \d{4}-.*Z: \d+s so far, at most 15m\.$/,
      ),
    ]);
    expect(errors).toEqual([]);
  });

  test('a lost answer is not waited for while a console is open', async () => {
    const task = foreignTask(cluster.simulator, { type: 'vncproxy', ...ofOurs });
    const path = '/nodes/*/qemu/10000/config';
    cluster.simulator.faults.add({
      methods: ['PUT'],
      path,
      count: 1,
      effect: { kind: 'reset', work: 'done' },
    });
    expect(await cluster.bring({ ...changed, timeouts: { apply: '4s' } })).toEqual([]);
    task.stop();
  });

  test('a machine that needs nothing waits for none of them', async () => {
    const task = foreignTask(cluster.simulator, { type: 'qmmove', ...ofOurs });
    expect(await cluster.bring(web)).toEqual([]);
    task.stop();
  });

  test('a lock names the task that holds it', async () => {
    locked('backup');
    const task = foreignTask(cluster.simulator, { type: 'vzdump', ...ofOurs });
    const { during } = await besides(cluster.bring(changed), 'told', () => locked(''));
    expect(during.lines).toEqual([
      expect.stringMatching(
        /^waits for guest 10000 on pve1, which is locked \(backup\) by vzdump of 10000 by eve@pve on pve1 since /,
      ),
    ]);
    task.stop();
  });

  test.each([
    ['a copy of something that it is not made from', { type: 'qmclone', id: '9001' }],
    ['a restore', { type: 'qmrestore', id: '777' }],
  ])('a new machine does not wait for %s', async (_, other) => {
    const task = foreignTask(cluster.simulator, other);
    expect(errorsOf(await cluster.run(desired([{ ...web, id: 'other' }])))).toEqual([]);
    task.stop();
  });
});

describe('a destroy', () => {
  test.each([
    ['a copy that somebody else makes', { type: 'qmclone', id: '9000' }],
    ['an open console', { type: 'vncproxy', id: String(OURS) }],
  ])('waits for no %s', async (_, task) => {
    foreignTask(cluster.simulator, task);
    expect(await cluster.bring(undefined)).toEqual([]);
    expect(cluster.world.guests[OURS]).toBeUndefined();
  });

  test('of a machine that is gone waits for no copy that somebody else makes', async () => {
    expect(await cluster.bring(undefined)).toEqual([]);
    foreignTask(cluster.simulator, { type: 'qmclone', id: '9000' });
    expect(await cluster.bring(undefined)).toEqual([]);
  });

  test('of a machine that is not there waits for a creation that its own user began', async () => {
    expect(await cluster.bring(undefined)).toEqual([]);
    const task = foreignTask(cluster.simulator, { type: 'qmclone', id: '9000', user: 'root@pam!old' });
    const { during, errors } = await besides(cluster.bring(undefined), SHORT_MS, task.stop);
    expect({ isDone: during.isDone, errors }).toEqual({ isDone: false, errors: [] });
  });

  test.each([
    [
      'a lock',
      () => locked('backup'),
      () => locked(''),
      /^waits for guest 10000 on pve1, which is locked \(backup\)/,
    ],
    [
      'a task that changes the machine',
      () => void foreignTask(cluster.simulator, { type: 'qmmove', id: String(OURS) }),
      () => cluster.simulator.sim.tasks.all().forEach(({ upid }) => cluster.simulator.sim.tasks.stop(upid)),
      /^waits for qmmove of 10000 by eve@pve on pve1 since .*: \d+s so far, at most 10m\.$/,
    ],
  ])('waits for %s: few requests, one line, no write; then it is done', async (_, begin, end, told) => {
    begin();
    const { during, errors } = await besides(cluster.bring(undefined), 'told', end);
    expect(during).toMatchObject({ isDone: false, writes: [], lines: [expect.stringMatching(told)] });
    expect(during.requests.length).toBeLessThanOrEqual(60);
    expect(errors).toEqual([]);
    expect(cluster.world.guests[OURS]).toBeUndefined();
  });
});

describe('the time that a spec gives', () => {
  const within = (timeouts: Json): Json => ({ ...changed, timeouts });

  test('timeouts.apply ends the wait for a lock, whatever timeouts.create says', async () => {
    locked('backup');
    expect(await cluster.bring(within({ apply: '1s', create: '1h' }))).toEqual([
      expect.stringMatching(
        /web: its time is up \(timeouts\.apply allows 1s\): it waited \d+s for guest 10000 on pve1, which is locked \(backup\) by no task .*\. Running again is safe\.$/,
      ),
    ]);
    expect(writes(cluster.simulator)).toEqual([]);
  });

  test('timeouts.destroy ends a destroy, which knows no spec: the mark carries it', async () => {
    expect(await cluster.bring({ ...web, timeouts: { destroy: '1s' } })).toEqual([]);
    expect(cluster.world.guests[OURS]!.config['description']).toContain('"l":"1s"');
    locked('backup');
    expect(await cluster.bring(undefined)).toEqual([
      expect.stringMatching(
        /web: its time is up \(timeouts\.destroy allows 1s\): it waited \d+s for guest 10000 on pve1/,
      ),
    ]);
    locked('');
    expect(await cluster.bring(web)).toEqual([]);
    expect(cluster.world.guests[OURS]!.config['description']).not.toContain('"l"');
    cluster.calls();
    expect(await cluster.bring(web)).toEqual([]);
    expect(cluster.calls()).toEqual(['GET /nodes/pve1/qemu/10000/pending']);
  });

  test('timeouts.create ends a creation, whatever timeouts.apply says', async () => {
    happens({ kind: 'quorum', quorate: false });
    const other = { ...web, id: 'other', timeouts: { create: '1s', apply: '1h' } };
    expect(errorsOf(await cluster.run(desired([other])))).toEqual([
      expect.stringMatching(
        /other: its time is up \(timeouts\.create allows 1s\): it waited \d+s for the quorum/,
      ),
    ]);
    expect(writes(cluster.simulator)).toEqual([]);
  });
});
