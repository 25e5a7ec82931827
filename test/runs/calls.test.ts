import { desired, errorsOf, lab } from '../support/cluster/lab';
import type { Json, Lab } from '../support/cluster/lab';
import { writes } from '../support/cluster/end-state';
import { scenarios } from '../support/runs/scenarios';

const clone = scenarios['create by clone']!.want!;
const blank = scenarios['create blank']!.want!;

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

async function callsFor(...machines: Json[]): Promise<string[]> {
  cluster.calls();
  expect(errorsOf(await cluster.run(desired(machines)))).toEqual([]);
  return cluster.calls();
}
const pending = 'GET /nodes/pve1/qemu/10000/pending';
const at = (method: string, rest: string) => `${method} /nodes/pve1/qemu/10000/${rest}`;

it('creates by clone in 7: what Proxmox compares no digest of is read directly before', async () => {
  expect(await callsFor(clone)).toEqual([
    'POST /nodes/pve1/qemu/9000/clone',
    pending,
    at('PUT', 'config'),
    pending,
    at('PUT', 'resize'),
    pending,
    at('POST', 'status/start'),
  ]);
});

it('creates from nothing in 5: that it is the machine is written when no rival was seen', async () => {
  expect(await callsFor(blank)).toEqual([
    'POST /nodes/pve1/qemu',
    pending,
    at('PUT', 'config'),
    pending,
    at('POST', 'status/start'),
  ]);
});

it.each([
  ['clone', clone, 'POST /nodes/pve1/qemu/9000/clone'],
  ['create', blank, 'POST /nodes/pve1/qemu'],
])(
  'looks for rivals once, by one listing between its %s and its first configuration',
  async (_, want, made) => {
    expect(await cluster.bring(want)).toEqual([]);
    const list = 'GET /cluster/resources';
    const told = [list, made, pending, at('PUT', 'config')];
    const lines = cluster.simulator.ledger.entries().map(({ method, path }) => `${method} ${path}`);
    const until = lines.indexOf(at('PUT', 'config')) + 1;
    expect(lines.slice(0, until).filter(line => told.includes(line))).toEqual([
      list,
      made,
      pending,
      list,
      at('PUT', 'config'),
    ]);
    expect(lines.filter(line => line === list)).toHaveLength(2);
  },
);

it('reads none of the machines that it makes at the same time, as rivals of each other', async () => {
  await cluster.close();
  cluster = await lab({ taskMs: 300 });
  const ids = Array.from({ length: 12 }, (_, index) => `m${index}`);
  const calls = await callsFor(...ids.map(id => ({ ...clone, id, networks: [] })));
  const reads = calls.filter(line => line.endsWith('/pending')).length;
  // one after the clone, one before the resize, one before the start; on a busy machine some know their clone too late
  expect(reads).toBeGreaterThanOrEqual(12 * 3);
  expect(reads).toBeLessThan(12 * 4);
});

describe.each([
  ['by clone', clone],
  ['from nothing', blank],
])('a machine made %s', (_, made) => {
  beforeEach(() => callsFor(made));

  it('is found in sync in 1', async () => {
    expect(await callsFor(made)).toEqual([pending]);
  });
  it('gets other tags in 2', async () => {
    expect(await callsFor({ ...made, tags: ['x'] })).toEqual([pending, at('PUT', 'config')]);
  });
  it('gets other memory in 3', async () => {
    expect(await callsFor({ ...made, memory: '8Gi' })).toEqual([pending, at('POST', 'config'), pending]);
  });
  it('gets a larger disk in 3', async () => {
    const [root] = made['disks'] as Json[];
    const disks = [{ ...root, size: '50G' }];
    expect(await callsFor({ ...made, disks })).toEqual([pending, at('PUT', 'resize'), pending]);
  });
  it('goes in 4, and the quorum is read before the last two', async () => {
    cluster.calls();
    expect(await cluster.destroy('web')).toBe('destroyed');
    const last = cluster.simulator.ledger.entries().filter(({ path }) => !path.includes('/tasks/'));
    expect(cluster.calls()).toEqual([
      pending,
      at('POST', 'status/stop'),
      pending,
      'DELETE /nodes/pve1/qemu/10000',
    ]);
    expect(last.slice(-3).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /cluster/status',
      pending,
      'DELETE /nodes/pve1/qemu/10000',
    ]);
  });
});

it('refreshes 100 machines in 1 + 100, and writes nothing', async () => {
  await cluster.close();
  cluster = await lab({ taskMs: 0 });
  const fleet = Array.from({ length: 100 }, (_, index) => ({
    ...blank,
    id: `m${index}`,
    power: 'stopped',
  }));
  await callsFor(...fleet);
  cluster.simulator.ledger.reset();
  expect(errorsOf(await cluster.run(desired(fleet)))).toEqual([]);
  const counts = cluster.simulator.ledger.byRoute();
  expect(counts['GET /cluster/resources']?.requests).toBe(1);
  expect(counts['GET /nodes/{node}/qemu/{vmid}/pending']?.requests).toBe(100);
  expect(writes(cluster.simulator)).toEqual([]);
  const once = Object.keys(counts).filter(
    route => !route.includes('{vmid}') && route !== 'GET /cluster/resources',
  );
  expect(once.sort()).toEqual([
    'GET /access/permissions',
    'GET /cluster/options',
    'GET /cluster/status',
    // of machines that are off, one look at whether a destroy of theirs failed
    'GET /cluster/tasks',
    'GET /nodes/{node}/qemu',
    'GET /version',
  ]);
});
