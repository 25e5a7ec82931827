import { defaultWorld } from '../../../simulator/default-world/cluster';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import type { Sim } from '../../../simulator/cluster/sim';
import { createSim } from '../../../simulator/cluster/sim';

const fresh = (): Sim => createSim(defaultWorld(3, 4), { seed: 1, timeScale: 'held', lagMs: 0 });

const snapshot = (parent?: string) => ({
  config: {},
  snaptime: 0,
  description: '',
  ...(parent !== undefined && { parent }),
});

it('hold in the default world', () => {
  expect(brokenInvariants(fresh())).toEqual([]);
});

it.each<[string, (sim: Sim) => void, string]>([
  [
    'a guest under two ids',
    ({ world }) => (world.guests[300] = world.guests[100]!),
    'guest 100 stands under the id 300',
  ],
  ['a guest on no node', ({ world }) => (world.guests[100]!.node = 'pve9'), 'guest 100 is on no node'],
  [
    'a guest that runs without power',
    ({ world }) => (world.nodes[2]!.online = false),
    'guest 100 runs on a node that is off',
  ],
  [
    'a running template',
    ({ world }) => (world.guests[9000]!.running = world.guests[100]!.running),
    'guest 9000 is a template and runs',
  ],
  [
    'a snapshot without its parent',
    ({ world }) => (world.guests[100]!.snapshots = { b: snapshot('a') }),
    'snapshot b of 100 stands on a, which is gone',
  ],
  [
    'a circle of snapshots',
    ({ world }) => (world.guests[100]!.snapshots = { a: snapshot('b'), b: snapshot('a') }),
    'snapshot a of 100 is its own ancestor',
  ],
  [
    'a present without its snapshot',
    ({ world }) => (world.guests[100]!.config['parent'] = 'a'),
    'guest 100 stands on the snapshot a, which is gone',
  ],
  [
    'a lock without a task',
    ({ world }) => (world.guests[100]!.config['lock'] = 'migrate'),
    'guest 100 is locked (migrate) and no task runs for it',
  ],
  [
    'a lock file without a task',
    sim => void sim.flocks.hold('pve1:/var/lock/x', 1000, () => sim.clock.sleep(1000)),
    'the lock file pve1:/var/lock/x is held and no task runs',
  ],
  [
    'a volume twice',
    ({ world }) => world.volumes.push({ ...world.volumes[0]! }),
    'volume shared:iso/debian-12.9.0-amd64-netinst.iso is there twice on all nodes',
  ],
  [
    'a local volume everywhere',
    ({ world }) => (world.volumes.find(({ vmid }) => vmid === 100)!.node = null),
    'volume local-lvm:vm-100-disk-0 is on the wrong kind of place',
  ],
  [
    'a volume on no node',
    ({ world }) => (world.volumes.find(({ vmid }) => vmid === 100)!.node = 'pve9'),
    'volume local-lvm:vm-100-disk-0 is on no node',
  ],
  [
    'a volume without a size',
    ({ world }) => (world.volumes[0]!.size = -1),
    'volume shared:iso/debian-12.9.0-amd64-netinst.iso has no size',
  ],
  [
    'a volume with another’s name',
    ({ world }) => (world.volumes.find(({ vmid }) => vmid === 100)!.vmid = 101),
    'volume local-lvm:vm-100-disk-0 is owned by 101',
  ],
  [
    'a clone without its base',
    ({ world }) => (world.volumes.find(({ vmid }) => vmid === 100)!.parent = 'local-lvm:base-1-disk-0'),
    'volume local-lvm:vm-100-disk-0 is a clone of local-lvm:base-1-disk-0, which is gone',
  ],
  [
    'a drive without its volume',
    ({ world }) => (world.volumes = world.volumes.filter(({ vmid }) => vmid !== 100)),
    'guest 100 uses local-lvm:vm-100-disk-0, which is not on pve3',
  ],
  [
    'a guest in two pools',
    ({ world }) => (world.pools = { a: { vms: [100], storages: [] }, b: { vms: [100], storages: [] } }),
    'guest 100 is in the pools a and b',
  ],
  [
    'a pool without its parent',
    ({ world }) => (world.pools = { 'a/b': { vms: [], storages: [] } }),
    'pool a/b has no parent',
  ],
  [
    'an HA resource in the wrong place',
    ({ world }) => (world.ha.resources['vm:1'] = { sid: 'vm:2', settings: {} }),
    'HA resource vm:2 stands under vm:1',
  ],
  [
    'an HA rule about nothing',
    ({ world }) => (world.ha.rules['r'] = { type: 'node-affinity', settings: {} }),
    'HA rule r has no resources',
  ],
  [
    'a number that JSON loses',
    ({ world }) => (world.nodes[0]!.memory = NaN),
    'world.nodes.0.memory is not plain data',
  ],
])('name %s', (_, damage, sentence) => {
  const sim = fresh();
  damage(sim);
  expect(brokenInvariants(sim)).toContain(sentence);
});

it('say nothing of a lock while its task runs', () => {
  const sim = fresh();
  sim.tasks.start({ type: 'qmigrate', id: '100', node: 'pve3', user: 'root@pam' }, task => task.work(1000));
  sim.world.guests[100]!.config['lock'] = 'migrate';
  expect(brokenInvariants(sim)).toEqual([]);
});

it('say nothing of a volume that a person deleted under a guest', async () => {
  const sim = fresh();
  const upid = sim.tasks.start(
    { type: 'imgdel', id: '100@local-lvm', node: 'pve3', user: 'root@pam' },
    () => undefined,
  );
  await sim.tasks.ended(upid);
  sim.world.volumes = sim.world.volumes.filter(({ vmid }) => vmid !== 100);
  expect(brokenInvariants(sim)).toEqual([]);
});
