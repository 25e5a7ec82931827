import { defaultWorld, type World } from '../../simulator';
import { tokenOf } from '../../reconciler/plan/shown/token';
import { administratorOf } from '../support/cluster/administrator';
import { foreignTask } from '../support/cluster/foreign-task';
import type { Json, Lab } from '../support/cluster/lab';
import { lab } from '../support/cluster/lab';
import { NARROW, narrowTokenLab } from '../support/cluster/narrow-token-lab';
import { terraformOn } from '../support/runs/as-planned';
import { preparedWorld, scenarios } from '../support/runs/scenarios';

const clone = scenarios['create by clone']!.want!;
const blank = scenarios['create blank']!.want!;

/** What a plan asks of the cluster as a whole. */
const OF_ALL = [
  'GET /access/permissions',
  'GET /cluster/options',
  'GET /cluster/resources',
  'GET /cluster/status',
  'GET /cluster/tasks',
  'GET /version',
];
const PENDING = 'GET /nodes/pve1/qemu/10000/pending';
const LIST = 'GET /nodes/pve1/qemu';
const TASKS = 'GET /nodes/pve1/tasks';

let cluster: Pick<Lab, 'simulator' | 'world' | 'close'>;
afterEach(() => cluster.close());

async function worldWith(nodes: number, have?: Json): Promise<World> {
  const world = defaultWorld(nodes);
  const { guests, volumes } = await preparedWorld({ have, want: undefined });
  for (const guest of Object.values(guests)) world.guests[guest.vmid] = guest;
  world.volumes.push(...volumes.filter(({ vmid }) => vmid === 10_000));
  world.pools = { prod: { vms: [], storages: [] } };
  return world;
}

async function open(nodes: number, have?: Json, lagMs = 0): Promise<void> {
  cluster = await lab({ world: await worldWith(nodes, have), taskMs: 5, lagMs });
}

/** What a plan finds, and what it asks. */
async function planned(want: Json, as?: typeof NARROW): Promise<{ differs: boolean; asked: string[] }> {
  cluster.simulator.ledger.reset();
  const token = tokenOf(await terraformOn(cluster, as).plan(want));
  const lines = cluster.simulator.ledger.entries().map(({ method, path }) => `${method} ${path}`);
  return { differs: token.vmid !== undefined, asked: lines.sort() };
}

describe.each([3, 32])('on %i nodes, a plan asks the cluster once, and', nodes => {
  test('a machine that is as wanted for its configuration, and its node whether it stands still', async () => {
    await open(nodes, blank);
    const asked = [...OF_ALL.filter(line => line !== 'GET /cluster/tasks'), LIST, PENDING].sort();
    expect(await planned(blank)).toEqual({ differs: false, asked });
  });

  test.each([
    ['tags', { tags: ['x'] }],
    ['memory', { memory: '8Gi' }],
  ])('one that gets other %s for the same', async (_, other) => {
    await open(nodes, blank);
    const asked = [...OF_ALL, LIST, PENDING].sort();
    expect(await planned({ ...blank, ...other })).toEqual({ differs: true, asked });
  });

  test('the node of its template for a new clone', async () => {
    await open(nodes);
    const { differs, asked } = await planned({ ...clone, node: 'pve2', pin: true });
    expect(differs).toBe(true);
    expect(asked.filter(line => /\/(tasks|qemu)$/.test(line))).toEqual(['GET /cluster/tasks', TASKS]);
  });
});

const storageLists = (asked: string[]): string[] => asked.filter(line => line.endsWith('/storage'));

describe('the storages of new machines', () => {
  const small = { ...blank, node: 'pve2', pin: true };
  const huge = { ...small, disks: [{ name: 'root', size: '900000G', storage: 'shared' }] };

  test('are those that the listing tells', async () => {
    await open(3);
    const { differs, asked } = await planned(small);
    expect({ differs, lists: storageLists(asked) }).toEqual({ differs: true, lists: [] });
  });

  test('are asked of the nodes before a machine is refused for them', async () => {
    await open(3);
    const { differs, asked } = await planned(huge);
    expect({ differs, lists: storageLists(asked) }).toEqual({
      differs: false,
      lists: ['GET /nodes/pve2/storage'],
    });
  });

  test('are asked of the nodes where the listing may hide some', async () => {
    const narrow = await narrowTokenLab(await worldWith(3));
    cluster = narrow;
    const all = ['Datastore.AllocateSpace', 'SDN.Use', 'VM.Allocate', 'VM.Audit', 'VM.Config.Disk'];
    narrow.allow({ path: '/', privileges: all });
    const { asked } = await planned(small, NARROW);
    expect(storageLists(asked)).toContain('GET /nodes/pve2/storage');
  });
});

describe('where the listing of the cluster lags', () => {
  test('a machine that somebody has just stopped is to be started', async () => {
    await open(3, blank, 600_000);
    expect(await planned(blank)).toMatchObject({ differs: false });
    expect(await administratorOf(cluster)('POST', '/nodes/pve1/qemu/10000/status/stop')).toBe(true);
    const { differs, asked } = await planned(blank);
    expect({ differs, asks: asked.includes(LIST) }).toEqual({ differs: true, asks: true });
  });

  test('a machine that somebody has just started is as wanted', async () => {
    await open(3, { ...blank, power: 'stopped' }, 600_000);
    expect(await administratorOf(cluster)('POST', '/nodes/pve1/qemu/10000/status/start')).toBe(true);
    const { differs, asked } = await planned(blank);
    expect({ differs, asks: asked.includes(LIST) }).toEqual({ differs: false, asks: true });
  });

  test('and so is one that was stopped and started again, for its node is asked where both were at once', async () => {
    await open(3, blank, 600_000);
    const administrator = administratorOf(cluster);
    expect(await administrator('POST', '/nodes/pve1/qemu/10000/status/stop')).toBe(true);
    expect(await administrator('POST', '/nodes/pve1/qemu/10000/status/start')).toBe(true);
    expect(await planned(blank)).toMatchObject({ differs: false });
  });

  test('a machine without its tag, whose name is not listed yet, is found on its node', async () => {
    await open(3, undefined, 600_000);
    const { guests } = await preparedWorld({ have: blank, want: undefined });
    const guest = Object.values(guests).find(({ vmid }) => vmid === 10_000)!;
    cluster.world.guests[10_000] = { ...guest, config: { ...guest.config, tags: '' } };
    const { asked } = await planned(blank);
    expect(asked).toContain(LIST);
    expect(tokenOf(await terraformOn(cluster).plan(blank)).found).not.toBe('absent');
  });
});

test('what is at work on a machine is asked of its node, where the cluster says that something is', async () => {
  await open(3, blank);
  const task = foreignTask(cluster.simulator, { type: 'qmsnapshot', id: '10000' });
  const { asked } = await planned({ ...blank, tags: ['x'] });
  task.stop();
  expect(asked.filter(line => line.endsWith('/tasks'))).toEqual(['GET /cluster/tasks', TASKS]);
});

test('a create from nothing that another run has begun is waited for, on whatever node', async () => {
  await open(32);
  const { guests } = await preparedWorld({ have: blank, want: undefined });
  const guest = Object.values(guests).find(({ vmid }) => vmid === 10_000)!;
  cluster.world.guests[10_000] = { ...guest, node: 'pve9', config: { lock: 'create' } };
  const task = foreignTask(cluster.simulator, { type: 'qmcreate', id: '10000', node: 'pve9' });
  cluster.simulator.ledger.reset();
  const token = tokenOf(await terraformOn(cluster).plan(blank));
  task.stop();
  const lines = cluster.simulator.ledger.entries().map(({ path }) => path);
  expect(lines).toContain('/nodes/pve9/tasks');
  expect(token.found).toBeUndefined();
});

test('a caller who may not see the tasks of the cluster asks each node', async () => {
  const narrow = await narrowTokenLab(await worldWith(3, blank));
  cluster = narrow;
  narrow.allow({ path: '/vms', privileges: ['VM.Audit', 'VM.Config.Options'] });
  const { asked } = await planned({ ...blank, tags: ['x'] }, NARROW);
  expect(asked.filter(line => /\/(tasks|qemu)$/.test(line))).toEqual([LIST, TASKS]);
});
