import type { Params } from '../../support/cluster/ask';
import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
});
afterEach(() => cluster.close());

const VM = '/nodes/pve1/qemu/100';
const HOTPLUG = { hotplug: 'network,disk,memory', numa: 1 };
const GONE = 'start failed: QEMU exited with code 1';

async function start(params: Params): Promise<string> {
  await cluster.run('POST', '/nodes/pve1/qemu', { vmid: 100, ...params });
  return (await cluster.run('POST', `${VM}/status/start`)).exitstatus;
}

// recordings g2 and 34, and QemuServer/Memory.pm
it.each<[Params, string]>([
  [{ ...HOTPLUG, numa: 0, memory: 2048 }, 'NUMA needs to be enabled for memory hotplug'],
  [{ ...HOTPLUG, memory: 512 }, 'minimum memory must be 1024MB'],
  [{ ...HOTPLUG, memory: 1100 }, 'memory size (1100) must be aligned to 512 for hotplugging'],
  [
    { ...HOTPLUG, memory: 1024 + 32 * 512 + 512 },
    'memory size (17920) must be aligned to 1024 for hotplugging',
  ],
  [
    { ...HOTPLUG, memory: 2048, numa0: 'cpus=0,memory=1024' },
    'cannot enable memory hotplugging with custom NUMA topology',
  ],
  [{ ...HOTPLUG, memory: 1024 }, 'OK'],
  [{ ...HOTPLUG, memory: 1024 + 32 * 512 + 1024 }, 'OK'],
  [{ hotplug: 'network,disk', memory: 1100 }, 'OK'],
])('memory that can be hot-plugged: %j: %s', async (params, exitstatus) => {
  expect(await start(params)).toBe(exitstatus);
});

it.each<[Params, string]>([
  [{ vcpus: 2 }, GONE],
  [{ vcpus: 2, cores: 2 }, 'OK'],
  [{ vcpus: 4, sockets: 2, cores: 2 }, 'OK'],
  [{ args: '-bogus' }, GONE],
  [{ args: '--no-such-option 1' }, GONE],
  [{ args: 'a-file' }, GONE],
  [{ args: '-device' }, GONE],
  [{ args: "-device 'virtio-rng-pci,max-bytes=1024' -no-reboot" }, 'OK'],
  [{ args: '-cpu host,+vmx -smbios "type=1,serial=a b"' }, 'OK'],
])('QEMU judges its command line: %j: %s', async (params, exitstatus) => {
  expect(await start(params)).toBe(exitstatus);
});

it('a start that fails does not fail the create that asked for it', async () => {
  const create = await cluster.run('POST', '/nodes/pve1/qemu', { vmid: 100, args: '-bogus', start: 1 });
  expect(create.exitstatus).toBe('OK');
  const ended = (): Promise<unknown> => cluster.data('GET', '/nodes/pve1/tasks', { typefilter: 'qmstart' });
  while (((await ended()) as unknown[]).length === 0) await cluster.pass(400);
  expect(await ended()).toMatchObject([{ id: '100', status: GONE }]);
  expect(await cluster.data('GET', `${VM}/status/current`)).toMatchObject({ status: 'stopped' });
});

it('a guest that QEMU refused starts when its arguments are gone', async () => {
  expect(await start({ args: '-bogus' })).toBe(GONE);
  await cluster.data('PUT', `${VM}/config`, { delete: 'args' });
  expect((await cluster.run('POST', `${VM}/status/start`)).exitstatus).toBe('OK');
});
