import type { Simulator } from '../../simulator';
import { ask } from '../support/cluster/ask';
import { startCluster } from '../support/cluster/start-cluster';

let simulator: Simulator;
beforeEach(async () => (simulator = await startCluster()));
afterEach(() => simulator.close());

const get = async (path: string) => (await ask(simulator, 'GET', path)).json.data;
const send = async (method: string, path: string, form?: Record<string, string>) => {
  const { status, reason } = await ask(simulator, method, path, form ? { form } : {});
  return [status, reason];
};
const OK = [200, 'OK'];
type Row = Record<string, unknown>;

it('makes, shows and deletes pools, by both forms of the route', async () => {
  expect(await send('POST', '/pools', { poolid: 'web', comment: 'ours' })).toEqual(OK);
  expect(await send('POST', '/pools', { poolid: 'web' })).toEqual([
    500,
    "create pool failed: pool 'web' already exists",
  ]);
  expect(await get('/pools')).toEqual([{ poolid: 'web', comment: 'ours' }]);
  expect(await get('/pools/web')).toEqual({ poolid: 'web', comment: 'ours', members: [] });
  expect(await get('/pools?poolid=web')).toEqual([{ poolid: 'web', comment: 'ours', members: [] }]);
  expect(await send('PUT', '/pools/web', { comment: '' })).toEqual(OK);
  expect(await get('/pools')).toEqual([{ poolid: 'web' }]);
  expect(await send('DELETE', '/pools?poolid=web')).toEqual(OK);
  expect(await send('DELETE', '/pools/web')).toEqual([500, "delete pool failed: pool 'web' does not exist"]);
});

it('holds guests and storages, also such as do not exist', async () => {
  await send('POST', '/pools', { poolid: 'web' });
  expect(await send('PUT', '/pools', { poolid: 'web', vms: '100,777', storage: 'local-lvm,none' })).toEqual(
    OK,
  );
  const { members } = await get('/pools/web');
  expect(members.map(({ id }: Row) => id)).toEqual(['qemu/100', 'storage/pve1/local-lvm']);
  expect(members[0]).toMatchObject({ name: 'legacy-db', status: 'running', template: 0 });
  expect((await get('/pools/web?type=storage')).members).toHaveLength(1);
  expect(await send('DELETE', '/pools/web')).toEqual([
    500,
    "delete pool failed: pool 'web' is not empty (contains VM 100)",
  ]);
});

it('changes all members or none', async () => {
  await send('POST', '/pools', { poolid: 'web' });
  await send('PUT', '/pools', { poolid: 'web', vms: '100' });
  expect(await send('PUT', '/pools', { poolid: 'web', vms: '101,100' })).toEqual([
    500,
    'update pools failed: VM 100 is already a pool member',
  ]);
  expect(simulator.world.pools['web']?.vms).toEqual([100]);
  expect(await send('PUT', '/pools', { poolid: 'web', vms: '101', delete: '1' })).toEqual([
    500,
    'update pools failed: VM 101 is not a pool member',
  ]);
});

it('moves a guest between pools only when told to', async () => {
  await send('POST', '/pools', { poolid: 'a' });
  await send('POST', '/pools', { poolid: 'b' });
  await send('PUT', '/pools', { poolid: 'a', vms: '100' });
  expect(await send('PUT', '/pools', { poolid: 'b', vms: '100' })).toEqual([
    500,
    "update pools failed: VM 100 belongs already to pool 'a' and 'allow-move' is not set",
  ]);
  expect(await send('PUT', '/pools', { poolid: 'b', vms: '100', 'allow-move': '1' })).toEqual(OK);
  expect([simulator.world.pools['a']?.vms, simulator.world.pools['b']?.vms]).toEqual([[], [100]]);
});

it('nests pools under parents that exist', async () => {
  expect(await send('POST', '/pools', { poolid: 'web/eu' })).toEqual([
    500,
    "create pool failed: parent 'web' of pool 'web/eu' does not exist",
  ]);
  await send('POST', '/pools', { poolid: 'web' });
  expect(await send('POST', '/pools', { poolid: 'web/eu' })).toEqual(OK);
  expect(await get('/pools?poolid=web/eu')).toEqual([{ poolid: 'web/eu', members: [] }]);
  expect(await send('DELETE', '/pools/web')).toEqual([
    500,
    "delete pool failed: pool 'web' is not empty (contains pool 'web/eu')",
  ]);
});

it('cannot be changed without quorum', async () => {
  simulator.world.cluster!.quorate = false;
  expect(await send('POST', '/pools', { poolid: 'web' })).toEqual([
    500,
    "create pool failed: cfs-lock 'file-user_cfg' error: no quorum!",
  ]);
});

it('shows a user only the pools that he may audit', async () => {
  const { access, pools } = simulator.world;
  pools['a'] = { vms: [], storages: [] };
  pools['b'] = { vms: [], storages: [] };
  access.users['dev@pve'] = { enable: true, tokens: { t: { value: 'secret', privsep: false } } };
  access.acl.push({ path: '/pool/b', type: 'user', ugid: 'dev@pve', roleid: 'PVEPoolUser', propagate: true });
  const headers = { authorization: 'PVEAPIToken=dev@pve!t=secret' };
  expect((await ask(simulator, 'GET', '/pools', { headers })).json.data).toEqual([{ poolid: 'b' }]);
  expect((await ask(simulator, 'GET', '/pools?poolid=a', { headers })).reason).toBe(
    'Permission check failed (/pool/a, Pool.Audit)',
  );
});
