import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runLine } from '../../reconciler/walk/live';
import { programAccess } from '../../support/cluster/program-access';
import { startCluster } from '../../support/cluster/start-cluster';
import { daemonLab, until, type DaemonLab, type RunningDaemon } from '../../support/daemon/daemon-lab';

type Simulator = Awaited<ReturnType<typeof startCluster>>;

const ORPHAN = 'Orphan: nothing asks for it any more';

let lab: DaemonLab;
let west: Simulator;
beforeEach(async () => {
  [lab, west] = [await daemonLab([]), await startCluster({ taskMs: 5 })];
});
afterEach(() => Promise.all([lab.close(), west.close()]));

interface Given {
  namespace?: string;
  more?: string;
}

const machine = (id: string, { namespace = 'default', more = '' }: Given = {}): string => `---
apiVersion: vitistack.io/v1alpha1
kind: Machine
metadata: { name: ${id}, namespace: ${namespace} }
spec: { node: pve1, memory: 536870912, powerState: "Off"${more} }
`;
const named = (name: string, more = '') => ({ more: `, name: ${name}${more}` });
const on = (cluster: string, name = 'web') => named(name, `, cluster: ${cluster}`);

const CLUSTERS = ['east', 'west'].map(
  name => `---
apiVersion: vitistack.io/v1alpha1
kind: ProxmoxCluster
metadata: { name: ${name} }
spec: {}
`,
);

const file = (): string => join(lab.folder, 'machines.yaml');

/** What is asked for from now on. */
function ask(...documents: string[]): void {
  writeFileSync(`${file()}.new`, documents.join(''));
  renameSync(`${file()}.new`, file());
}

/** Each cluster by its own variables. */
function both(): Record<string, string> {
  const names = { EAST: lab.simulator, WEST: west };
  const variables = Object.entries(names).flatMap(([name, simulator]) =>
    Object.entries(programAccess(simulator)).map(([key, value]) => [
      key.replace('PVE_', `PVE_${name}_`),
      value,
    ]),
  );
  return { ...(Object.fromEntries(variables) as Record<string, string>), PVE_TASK_POLL_INTERVAL: '10ms' };
}

const start = (environment: Record<string, string> = {}, source?: string): RunningDaemon =>
  lab.start(
    { spec: [], manifests: [file()], prune: true, ...(source !== undefined && { source }) },
    { PROXMOX_DEFAULT_CLUSTER: 'lab', ...environment },
  );

/** The uuids of the guests of this name: one that was made anew has another. */
const uuids = ({ world }: Simulator, name: string): string[] =>
  Object.values(world.guests).flatMap(({ config }) =>
    config['name'] === name && config['description']?.includes('pvr:') ? [config['smbios1'] ?? ''] : [],
  );

async function made(simulator: Simulator, name: string): Promise<string[]> {
  await until(
    () => uuids(simulator, name),
    found => found.length === 1,
  );
  return uuids(simulator, name);
}

const stands = (daemon: RunningDaemon, id: string): Promise<unknown> =>
  until(
    async () => (await daemon.machine(id))['phase'],
    phase => phase === 'Stopped',
  );

/** The remedy that an orphan is told with, some rounds after that. */
async function told(daemon: RunningDaemon, id: string): Promise<string> {
  const look = () => daemon.said(ORPHAN).filter(line => line['machine'] === id);
  await until(look, lines => lines.length > 0);
  const pattern = /reconciliation_duration_seconds_count\{controller="cluster"\} (\d+)/;
  const done = async (): Promise<number> => Number(pattern.exec(await daemon.metrics())?.[1] ?? 0);
  const first = await done();
  await until(done, now => now >= first + 12);
  return String(look().at(-1)?.['remedy']);
}

const gone = (simulator: Simulator, name: string): Promise<unknown> =>
  until(
    () => uuids(simulator, name),
    found => found.length === 0,
  );

describe('with --prune, no guest goes because somebody edits', () => {
  test('the cluster of its machine; it goes once the machine leaves', async () => {
    ask(...CLUSTERS, machine('web', on('east')));
    const daemon = start(both());
    const before = await made(lab.simulator, 'web');
    ask(...CLUSTERS, machine('web', on('west')));
    await made(west, 'web');
    const remedy = await told(daemon, 'web');
    expect(remedy).toContain(
      'It is not pruned: machine web of manifests/west/default is wanted and has its id',
    );
    expect(remedy).toMatch(
      /Then set the edit back\. Where nobody .*: pve-reconciler gc --yes --spec FILE\.$/,
    );
    expect(uuids(lab.simulator, 'web')).toEqual(before);
    // what is wanted on the other cluster does not matter any more
    ask(...CLUSTERS, machine('db', on('west', 'db')));
    await gone(lab.simulator, 'web');
  });

  test('the cluster, while the other one does not answer', async () => {
    ask(...CLUSTERS, machine('web', on('east')), machine('db', on('east', 'db')));
    const daemon = start({ ...both(), PVE_WEST_ENDPOINT: 'https://127.0.0.1:9' });
    const before = await made(lab.simulator, 'web');
    ask(...CLUSTERS, machine('web', on('west')), machine('db', on('east', 'db')));
    await told(daemon, 'web');
    expect(uuids(lab.simulator, 'web')).toEqual(before);
  });

  test('PROXMOX_DEFAULT_CLUSTER, also after a restart with a source that was named', async () => {
    ask(...CLUSTERS, machine('web', named('web')));
    const first = start({ ...both(), PROXMOX_DEFAULT_CLUSTER: 'east' }, 'prod');
    const before = await made(lab.simulator, 'web');
    await first.stop();
    const second = start({ ...both(), PROXMOX_DEFAULT_CLUSTER: 'west' }, 'prod');
    await made(west, 'web');
    await told(second, 'web');
    expect(uuids(lab.simulator, 'web')).toEqual(before);
  });

  test('the cluster of the source of a clone, whose own document stays as it is', async () => {
    const of = (cluster: string): string => `---
apiVersion: infra.virtrigaud.io/v1beta1
kind: VirtualMachine
metadata: { name: gold }
spec: { cluster: ${cluster}, name: gold, node: pve1, memory: 536870912, powerState: "Off" }
---
apiVersion: infra.virtrigaud.io/v1beta1
kind: VMClone
metadata: { name: clone1 }
spec: { sourceVMRef: { name: gold }, linkedClone: false, power: stopped, node: pve1 }
`;
    ask(...CLUSTERS, of('east'));
    const daemon = start(both());
    await stands(daemon, 'clone1');
    const before = [uuids(lab.simulator, 'gold'), uuids(lab.simulator, 'clone1')];
    ask(...CLUSTERS, of('west'));
    await told(daemon, 'clone1');
    await told(daemon, 'gold');
    expect([uuids(lab.simulator, 'gold'), uuids(lab.simulator, 'clone1')]).toEqual(before);
  });

  test.each([
    [
      'its namespace',
      machine('web', { namespace: 'shop', ...named('web', ', vmid: 555') }),
      /machine web of manifests\/lab\/shop is wanted and has its id.*, or move it: pve-reconciler owner move manifests\/lab\/default manifests\/lab\/shop web --cluster lab\./,
    ],
    [
      'its id, and its vmid stays',
      machine('web2', named('web2', ', vmid: 555')),
      /machine web2 of manifests\/lab\/default is wanted and has its number.*, or give web2 formerIds: \["web"\] before it is made\./,
    ],
    [
      'its id, and its name stays',
      machine('web2', named('WWW')),
      /machine web2 of manifests\/lab\/default is wanted and has its name: .*Then set the edit back\. Where/,
    ],
  ])('%s', async (_, edited, remedy) => {
    ask(machine('db', named('db')), machine('web', named('www', ', vmid: 555')));
    const daemon = start();
    const before = await made(lab.simulator, 'www');
    ask(machine('db', named('db')), edited);
    expect(await told(daemon, 'web')).toMatch(remedy);
    expect(uuids(lab.simulator, 'www')).toEqual(before);
  });

  test('its namespace, and runs the command that is printed: it moves this machine, and no other', async () => {
    ask(machine('db', named('db')), machine('web', named('web')));
    const daemon = start({}, 'prod');
    const before = [await made(lab.simulator, 'db'), await made(lab.simulator, 'web')];
    ask(machine('db', named('db')), machine('web', { namespace: 'shop', ...named('web') }));
    const [, line = ''] = /pve-reconciler (owner move .*?)\. /.exec(await told(daemon, 'web')) ?? [];
    expect(line).toBe('owner move manifests/lab/default manifests/lab/shop web --cluster lab');
    const moved = await runLine([...line.split(' '), '--yes'], programAccess(lab.simulator), '');
    expect(moved).toMatchObject({ code: 0 });
    // some rounds more
    await told(daemon, 'web');
    expect([uuids(lab.simulator, 'db'), uuids(lab.simulator, 'web')]).toEqual(before);
    expect(daemon.said(ORPHAN).map(({ machine: id }) => id)).toEqual(['web']);
  });
});

test('of two machines of one id in two namespaces, the one that leaves stays too, and gc removes it', async () => {
  const db = machine('db', named('db'));
  const shop = machine('web', { namespace: 'shop', ...named('www') });
  ask(db, machine('web', named('web')), shop);
  const daemon = start();
  const before = [await made(lab.simulator, 'web'), await made(lab.simulator, 'www')];
  ask(db, shop);
  expect(await told(daemon, 'web')).toContain('machine web of manifests/lab/shop is wanted and has its id');
  expect([uuids(lab.simulator, 'web'), uuids(lab.simulator, 'www')]).toEqual(before);
  const environment = { ...programAccess(lab.simulator), PROXMOX_DEFAULT_CLUSTER: 'lab' };
  const words = ['gc', '--yes', '--count', '1', '--manifests', file()];
  expect(await runLine(words, environment, '')).toMatchObject({ code: 0 });
  expect([uuids(lab.simulator, 'web'), uuids(lab.simulator, 'www')]).toEqual([[], before[1]]);
});

test('what another source wrote last is told as that, whatever is wanted here', async () => {
  ask(machine('web', named('web')));
  const first = start({}, 'a');
  await made(lab.simulator, 'web');
  await first.stop();
  ask(machine('db', named('db')), machine('web', { namespace: 'shop', ...named('www') }));
  expect(await told(start({}, 'b'), 'web')).toContain('source "a" wrote it last');
});

test('gc says of an orphan, and of one that is to go, that it may be a machine that is wanted', async () => {
  ask(machine('db', named('db')), machine('web', named('web')), machine('old', named('old')));
  const daemon = start();
  await Promise.all([made(lab.simulator, 'web'), made(lab.simulator, 'old')]);
  await daemon.stop();
  ask(machine('db', named('db')), machine('web', { namespace: 'shop', ...named('web') }));
  const environment = { ...programAccess(lab.simulator), PROXMOX_DEFAULT_CLUSTER: 'lab' };
  const gc = (...words: string[]) => runLine(['gc', '--manifests', file(), ...words], environment, '');
  const may = 'ind: machine web of manifests/lab/shop is wanted and has its id';
  const [only, asked, json] = [await gc(), await gc('--yes'), await gc('--json')];
  expect(only.out.split('\n').filter(line => line.includes(may))).toEqual([
    expect.stringMatching(/^web: .*nothing asks for it\. gc --yes destroys it/),
  ]);
  expect([asked.code, asked.said.split(may).length]).toEqual([2, 2]);
  const { orphans } = JSON.parse(json.out) as { orphans: { machine: string; mayBe?: string }[] };
  expect(orphans.filter(({ mayBe }) => mayBe !== undefined).map(({ machine: id }) => id)).toEqual(['web']);
});
