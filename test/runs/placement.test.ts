import type { DesiredState } from '../../spec';
import { numbersBelow } from '../support/in-parallel';
import type { Json, Lab } from '../support/cluster/lab';
import { desired, errorsOf, lab } from '../support/cluster/lab';

let cluster: Lab;
beforeEach(async () => (cluster = await lab({ taskMs: 0 })));
afterEach(() => cluster.close());

/** The node of each machine after a run, by its id. */
async function places(machines: Json[], nodes: DesiredState['nodes'] = []): Promise<Record<string, string>> {
  expect(errorsOf(await cluster.run({ ...desired(machines), nodes }))).toEqual([]);
  const ours = Object.values(cluster.world.guests).filter(({ vmid }) => !cluster.others.includes(vmid));
  return Object.fromEntries(ours.map(({ config, node }) => [config['name'], node]));
}

/** Clones of a template, of which nothing is said about where they go. */
const clones = (template: string, placement?: Json): Json[] =>
  numbersBelow(6).map(index => ({
    ...{ id: `m${index}`, image: { template }, power: 'stopped' },
    ...(placement ? { placement } : {}),
  }));
const times = (nodes: Record<string, string>): number[] => {
  const all = Object.values(nodes);
  return ['pve1', 'pve2', 'pve3'].map(name => all.filter(node => node === name).length);
};

test('clones of a template on shared storage are spread, whether the strategy is named or not', async () => {
  const unnamed = await places(clones('ubuntu-22.04'));
  await cluster.close();
  cluster = await lab({ taskMs: 0 });
  expect(unnamed).toEqual(await places(clones('ubuntu-22.04', { strategy: 'spread' })));
  expect(Math.min(...times(unnamed).slice(0, 2))).toBeGreaterThan(1);
});

test('clones of a template on storage of its node stay beside it, so that none has to move', async () => {
  expect(times(await places(clones('debian-12')))).toEqual([6, 0, 0]);
});

test('the one node that a machine can have is not taken by another that sorts first', async () => {
  const blank = { image: { blank: true }, memory: '1Gi', power: 'stopped' };
  const apart = { antiAffinity: [{ key: 'app', operator: 'In', values: ['db'] }] };
  const dbs = ['db-1', 'db-2', 'db-3'].map(id => ({
    ...blank,
    ...{ id, labels: { app: 'db' }, placement: apart },
  }));
  const nodes = await places([{ ...blank, id: 'any' }, ...dbs], [{ nodeName: 'pve1', maxVMs: 1 }]);
  expect(new Set(dbs.map(({ id }) => nodes[id])).size).toBe(3);
});
