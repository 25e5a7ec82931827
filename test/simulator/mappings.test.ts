import type { Simulator } from '../../simulator';
import { ask } from '../support/cluster/ask';
import { startCluster } from '../support/cluster/start-cluster';

let simulator: Simulator;
beforeEach(async () => (simulator = await startCluster({ timeScale: 'held' })));
afterEach(() => simulator.close());

const get = async (path: string) => (await ask(simulator, 'GET', path)).json.data;
const send = async (method: string, path: string, json?: Record<string, unknown>) => {
  const answer = await ask(simulator, method, path, json ? { json } : {});
  return answer.json.errors ?? [answer.status, answer.reason];
};
const OK = [200, 'OK'];
const GPU = 'id=10de:1eb8,node=pve1,path=0000:01:00.0';

describe('a mapping', () => {
  it('is made, changed and deleted', async () => {
    expect(await get('/cluster/mapping/pci')).toEqual([]);
    expect(await send('POST', '/cluster/mapping/pci', { id: 'gpu', map: [GPU], mdev: 1 })).toEqual(OK);
    expect(await send('POST', '/cluster/mapping/pci', { id: 'gpu', map: [GPU] })).toEqual([
      500,
      "create hardware mapping failed: pci ID 'gpu' already defined",
    ]);
    const { digest, ...gpu } = await get('/cluster/mapping/pci/gpu');
    expect(gpu).toEqual({ type: 'pci', map: [GPU], mdev: 1 });
    expect(await get('/cluster/mapping/pci')).toEqual([{ id: 'gpu', ...gpu, digest }]);
    const change = { map: [GPU], description: 'render', delete: 'mdev' };
    expect(await send('PUT', '/cluster/mapping/pci/gpu', { ...change, digest })).toEqual(OK);
    expect((await send('PUT', '/cluster/mapping/pci/gpu', { ...change, digest }))[1]).toMatch(
      /^update hardware mapping failed: detected modified configuration/,
    );
    expect(await get('/cluster/mapping/pci/gpu')).toMatchObject({ description: 'render', map: [GPU] });
    expect(await get('/cluster/mapping/pci/gpu')).not.toHaveProperty('mdev');
    expect(await send('DELETE', '/cluster/mapping/pci/gpu')).toEqual(OK);
    expect(await send('DELETE', '/cluster/mapping/pci/gpu')).toEqual(OK);
    expect(await send('GET', '/cluster/mapping/pci/gpu')).toEqual([500, "mapping 'gpu' not found"]);
  });

  it('needs a map, also when something else of it is changed', async () => {
    await send('POST', '/cluster/mapping/pci', { id: 'gpu', map: [GPU] });
    expect(await send('PUT', '/cluster/mapping/pci/gpu', { description: 'x' })).toEqual([
      500,
      "update hardware mapping failed: missing value for required option 'map'",
    ]);
    expect(await send('PUT', '/cluster/mapping/pci/gpu', { map: [GPU], delete: 'map' })).toEqual([
      500,
      "update hardware mapping failed: unable to delete required option 'map'",
    ]);
    expect(await send('POST', '/cluster/mapping/usb', { id: 'key' })).toHaveProperty('map');
  });

  it('is checked entry by entry', async () => {
    expect(await send('POST', '/cluster/mapping/usb', { id: 'key', map: ['node=pve1'] })).toHaveProperty([
      'map[0]',
    ]);
    const twice = ['node=pve1,path=/srv/a', 'node=pve1,path=/srv/b'];
    expect(await send('POST', '/cluster/mapping/dir', { id: 'share', map: twice })).toEqual([
      500,
      "Node 'pve1' is specified 2 times.",
    ]);
  });

  it('tells of a node that it has nothing for', async () => {
    await send('POST', '/cluster/mapping/usb', { id: 'key', map: ['id=1050:0407,node=pve1'] });
    expect((await get('/cluster/mapping/usb?check-node=pve1'))[0].checks).toEqual([]);
    expect((await get('/cluster/mapping/usb?check-node=pve2'))[0].checks).toEqual([
      { severity: 'warning', message: 'No mapping for node pve2.' },
    ]);
  });

  it('lets a guest start that names it', async () => {
    simulator.world.devices = { pci: [], usb: [] };
    simulator.world.guests[100]!.running = null;
    await ask(simulator, 'PUT', '/nodes/pve3/qemu/100/config', { form: { usb0: 'mapping=key' } });
    const start = async () => {
      const { json } = await ask(simulator, 'POST', '/nodes/pve3/qemu/100/status/start');
      await simulator.sim.clock.advance(10_000);
      return (await get(`/nodes/pve3/tasks/${json.data}/status`)).exitstatus;
    };
    expect(await start()).toBe("USB device mapping not found for 'key'");
    await send('POST', '/cluster/mapping/usb', { id: 'key', map: ['id=1050:0407,node=pve1'] });
    expect(await start()).toBe("USB device mapping not found for 'key'");
    await send('PUT', '/cluster/mapping/usb/key', { map: ['id=1050:0407,node=pve3'] });
    expect(await start()).toBe('OK');
  });
});
