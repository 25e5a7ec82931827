import type { OpenCluster } from '../support/cluster/open-cluster';
import { openCluster } from '../support/cluster/open-cluster';

const NODE = '/nodes/pve1';
const DEPLOYER = 'deployer@pve!t1=55555555-5555-4555-8555-555555555555';

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
  await cluster.run('POST', `${NODE}/qemu`, { vmid: 100, memory: 64, onboot: 1, startup: 'order=2,up=5' });
  await cluster.run('POST', `${NODE}/qemu`, { vmid: 101, memory: 64, onboot: 1, startup: 'order=1' });
  await cluster.run('POST', `${NODE}/qemu`, { vmid: 102, memory: 64 });
});
afterEach(() => cluster.close());

const runs = () => [100, 101, 102].filter(vmid => cluster.world.guests[vmid]?.running);

it('starts what shall start with the node, in its order', async () => {
  const { exitstatus, id, log } = await cluster.run('POST', `${NODE}/startall`);
  expect([exitstatus, id]).toEqual(['OK', '']);
  expect(log).toEqual([
    'Starting VM 101',
    'Starting VM 100',
    'Waiting for 5 seconds (startup delay)',
    'TASK OK',
  ]);
  expect(runs()).toEqual([100, 101]);
});

it('starts all when it must, and says what did not start', async () => {
  await cluster.data('PUT', `${NODE}/qemu/102/config`, { net0: 'virtio,bridge=vmbr9' });
  const { exitstatus, log } = await cluster.run('POST', `${NODE}/startall`, { force: 1, vms: '102' });
  expect([exitstatus, log[1]]).toEqual(['OK', "Starting VM 102 failed: bridge 'vmbr9' does not exist"]);
});

it('stops all, those that do not obey by force', async () => {
  await cluster.run('POST', `${NODE}/startall`, { force: 1 });
  const { log } = await cluster.run('POST', `${NODE}/stopall`, { timeout: 2 });
  expect(log).toEqual([
    'Stopping VM 102 (timeout = 2 seconds)',
    'Stopping VM 100 (timeout = 2 seconds)',
    'Stopping VM 101 (timeout = 2 seconds)',
    'TASK OK',
  ]);
  expect(runs()).toEqual([]);
});

it('moves all to another node', async () => {
  expect(await cluster.refusal('POST', `${NODE}/migrateall`, { target: 'pve1' })).toBe(
    '400 {"target":"target is local node."}',
  );
  const { log } = await cluster.run('POST', `${NODE}/migrateall`, { target: 'pve2', vms: '100,101' });
  expect(log.at(-2)).toBe('All jobs finished, used 2 workers in total.');
  expect([100, 101, 102].map(vmid => cluster.world.guests[vmid]?.node)).toEqual(['pve2', 'pve2', 'pve1']);
});

it('needs rights on everything, or on each guest that is named', async () => {
  const refused = (params: Record<string, string>) =>
    cluster.refusal('POST', `${NODE}/stopall`, params, DEPLOYER);
  expect(await refused({})).toBe('403 Permission check failed (/, VM.PowerMgmt)');
  expect(await refused({ vms: '102' })).toBe('200 OK');
});
