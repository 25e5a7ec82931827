import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runLine } from '../../reconciler/walk/live';
import { administratorOf } from '../../support/cluster/administrator';
import { alteredCluster } from '../../support/cluster/altered-cluster';
import { foreignTask } from '../../support/cluster/foreign-task';
import { desired, desiredJson, lab } from '../../support/cluster/lab';
import { programAccess, takeWrites } from '../../support/cluster/program-access';
import { blankMachine } from '../../support/runs/blank-machine';
import { DOCTOR_FAULTS, type Ground } from '../../support/runs/doctor-faults';

interface Told {
  ok: boolean;
  checks: { check: string; result: string }[];
  findings: { check: string; level: string; says: string; remedy: string }[];
}

let ground: Ground;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'doctor-'));
  const cluster = await lab();
  const machines = ['web', 'db'].map(id => ({ ...blankMachine, id }));
  await cluster.run(desired(machines));
  const env = { ...programAccess(cluster.simulator), TMPDIR: folder };
  ground = { cluster, env, machines: [...machines], want: {}, after: [cluster.close] };
  takeWrites(cluster.simulator);
});
afterEach(async () => {
  for (const end of ground.after) await end();
  rmSync(folder, { recursive: true });
});

const run = (...more: string[]) => {
  const input = JSON.stringify(desiredJson(ground.machines, ground.want));
  return runLine(['doctor', '--spec', '-', ...more], ground.env, input);
};

test('a cluster where nothing is wrong: every check is ok, and the exit code is 0', async () => {
  const { code, out } = await run('--json');
  const told = JSON.parse(out) as Told;
  expect(told.findings).toEqual([]);
  expect(new Set(told.checks.map(({ result }) => result))).toEqual(new Set(['ok']));
  expect(code).toBe(0);
});

test('without a desired state no machine and no orphan is looked for, and that is said', async () => {
  const { code, out } = await runLine(['doctor'], ground.env);
  expect(code).toBe(0);
  for (const check of ['machines', 'orphans'])
    expect(out).toContain(`not checked  ${check}: give the desired state with --spec or --manifests\n`);
  expect(out).toMatch(/^ok +locks$/m);
  const { checks } = JSON.parse((await runLine(['doctor', '--json'], ground.env)).out) as Told;
  expect(checks.filter(({ result }) => result !== 'ok').map(({ check }) => check)).toEqual([
    'machines',
    'orphans',
  ]);
});

test('an empty name of the default cluster counts as none', async () => {
  const { code, out } = await runLine(['doctor', '--json'], { ...ground.env, PROXMOX_DEFAULT_CLUSTER: '' });
  expect(JSON.parse(out)).toMatchObject({ ok: true, findings: [] });
  expect(code).toBe(0);
});

test.each(DOCTOR_FAULTS)('it finds %s, and says what to do', async (_, plant, check, says, remedy) => {
  await plant(ground);
  const { code, out } = await run('--json');
  const { findings, ok } = JSON.parse(out) as Told;
  expect(findings).toContainEqual({
    ...(['configuration', 'worker'].includes(check) ? {} : { cluster: 'lab' }),
    check,
    level: expect.stringMatching(/^(?:fault|warning)$/) as string,
    says: expect.stringMatching(says) as string,
    remedy: expect.stringMatching(remedy) as string,
  });
  expect(code).toBe(ok ? 0 : check === 'configuration' ? 2 : 1);
  expect(takeWrites(ground.cluster.simulator)).toEqual([]);
});

test.each([
  ['backup', { type: 'vzdump', id: '' }],
  ['clone', { type: 'qmclone', id: '9001', log: ['creating a clone of VM 9001 with ID 10000'] }],
])('a lock that a running task holds is nothing to lift: %s', async (lock, task) => {
  const { simulator, world } = ground.cluster;
  world.guests[10_000]!.config['lock'] = lock;
  const running = foreignTask(simulator, task);
  const { out } = await run('--json');
  running.stop();
  expect((JSON.parse(out) as Told).findings.filter(({ check }) => check === 'locks')).toEqual([]);
});

test.each([
  ['create', false],
  ['clone', true],
])(
  'the lock %s of a guest that has a name: a destroy is named only of what is a part for certain',
  async (lock, isPart) => {
    ground.cluster.world.guests[10_000]!.config['lock'] = lock;
    const { out } = await run('--json');
    const remedy = (JSON.parse(out) as Told).findings.find(({ check }) => check === 'locks')?.remedy ?? '';
    expect(remedy).toContain('qm unlock 10000');
    expect(remedy.includes('then qm destroy 10000')).toBe(isPart);
  },
);

test('the lock of a creation with nothing beside it is a part for certain', async () => {
  const { world } = ground.cluster;
  world.guests[10_000]!.config = { lock: 'create' };
  const told = JSON.parse((await run('--json')).out) as Told;
  const { remedy } = told.findings.find(({ check }) => check === 'locks')!;
  expect(remedy).toContain('qm unlock 10000, then qm destroy 10000');
});

test('with anything beside it, it is not: also without a name and disks', async () => {
  ground.cluster.world.guests[10_000]!.config = { lock: 'create', cores: '2' };
  const told = JSON.parse((await run('--json')).out) as Told;
  const { remedy } = told.findings.find(({ check }) => check === 'locks')!;
  expect(remedy).not.toContain('then qm destroy 10000');
  expect(remedy).toContain('Only one that shows nothing but its lock is a part of a creation: qm destroy');
});

test('what somebody wrote into the notes of a guest is no part of a command', async () => {
  const guest = ground.cluster.world.guests[10_000]!;
  guest.config['description'] = guest.config['description']!.replace('"m":"web"', '"m":"web;reboot"');
  await administratorOf(ground.cluster)('POST', '/nodes/pve1/qemu/10000/status/start');
  guest.running!.qmp = 'paused';
  const told = JSON.parse((await run('--json')).out) as Told;
  const { remedy } = told.findings.find(({ check }) => check === 'power')!;
  expect(remedy).toContain('pve-reconciler power resume ID --spec FILE');
});

test('a clone of a guest does not hold the lock of its source', async () => {
  const { simulator, world } = ground.cluster;
  world.guests[10_000]!.config['lock'] = 'backup';
  const running = foreignTask(simulator, { type: 'qmclone', id: '10000' });
  const { out } = await run('--json');
  running.stop();
  expect((JSON.parse(out) as Told).findings).toContainEqual(expect.objectContaining({ check: 'locks' }));
});

test('people read each check, what was found and what to do; what comes after is not checked', async () => {
  ground.env['PVE_TOKEN_SECRET'] = '22222222-1111-4111-8111-111111111111';
  const { code, out } = await run();
  expect(code).toBe(1);
  expect(out).toMatch(/^fault +credentials\n {4}.*401.*\n {6}Check PVE_TOKEN_ID/m);
  expect(out).toMatch(/^ok +endpoint$/m);
  expect(out).toMatch(/^not checked +quorum$/m);
  expect(out).toMatch(/^1 fault, 0 warnings\. Nothing was changed\.$/m);
});

test('without a desired state it looks at the cluster of the environment', async () => {
  const { code, out } = await runLine(['doctor', '--cluster', 'lab'], ground.env);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^ok +quorum$/m) });
});

test('a list of bridges that is not there: it could not be read, and no bridge is called missing', async () => {
  const server = await alteredCluster(ground.cluster.simulator, ({ path: asked }, told) =>
    /^\/nodes\/pve2\/network$/.test(asked) ? { ...told, status: 404, reason: 'Not Found', text: '' } : told,
  );
  ground.after.push(server.close);
  Object.assign(ground.env, server.access);
  ground.want['networks'] = ['vmbr99'];
  const { out } = await run('--json');
  const { findings } = JSON.parse(out) as Told;
  expect(findings.filter(({ check }) => check === 'bridges')).toEqual([
    expect.objectContaining({ level: 'warning', says: expect.stringMatching(/node pve2 could not be read/) }),
  ]);
});

test('over plain http on this machine it tells that no certificate is used, and a setting for one by its name', async () => {
  const proxy = await alteredCluster(ground.cluster.simulator, (_, told) => told, undefined, 'http');
  ground.after.push(proxy.close);
  Object.assign(ground.env, proxy.access);
  const { code, out } = await run();
  expect(out).toMatch(/^not used +tls: plain http on this machine$/m);
  expect(out).toMatch(/^ok +quorum$/m);
  expect(code).toBe(0);
  const insecure = { ...ground.env, PVE_INSECURE_SKIP_VERIFY: 'true' };
  const refused = await runLine(['doctor', '--cluster', 'lab'], insecure);
  expect(refused.out).toMatch(/^fault +configuration\n.*remove PVE_INSECURE_SKIP_VERIFY\./m);
  expect(refused.code).toBe(2);
});

describe('what no answer proved is not checked', () => {
  const serve = async (answer: (response: ServerResponse) => unknown) => {
    const server = createServer((_, response) => void answer(response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ground.after.push(() => {
      server.closeAllConnections();
      server.close();
    });
    ground.env['PVE_ENDPOINT'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    delete ground.env['PVE_CA_BUNDLE'];
    delete ground.env['PVE_FINGERPRINT'];
    return run('--json');
  };
  const resultOf = (out: string, check: string) =>
    (JSON.parse(out) as Told).checks.find(each => each.check === check)?.result;

  test.each<[what: string, answer: (response: ServerResponse) => unknown]>([
    ['one that leads elsewhere', response => response.writeHead(301, { location: 'https://other/' }).end()],
    ['one that is no Proxmox', response => response.end('{}')],
    ['one that tells no version', response => response.end('{"data":{}}')],
  ])('credentials of %s', async (_, answer) => {
    const { out, code } = await serve(answer);
    expect(code).toBe(1);
    expect([resultOf(out, 'endpoint'), resultOf(out, 'credentials')]).toEqual(['ok', 'not checked']);
  });

  test('certificate and credentials where nobody answers', async () => {
    ground.env['PVE_ENDPOINT'] = 'https://127.0.0.1:1';
    const { out } = await run('--json');
    expect(['endpoint', 'tls', 'credentials'].map(check => resultOf(out, check))).toEqual([
      'fault',
      'not checked',
      'not checked',
    ]);
  });
});
