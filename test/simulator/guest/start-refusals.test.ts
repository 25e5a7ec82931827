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

const MAPPING = (kind: string): string => `${kind} device mapping not found for 'card'`;
const FULL = 'Installed qemu-server (max feature level for 10.0 is pve1) is too old to run machine type';

// recording g9, and qemu-server as read
it.each<[Params, string]>([
  [
    { machine: 'pc-i440fx-99.0' },
    "Installed QEMU version '10.1.2' is too old to run machine type 'pc-i440fx-99.0+pve0', please upgrade node 'pve1'",
  ],
  [
    { machine: 'pc-q35-10.2' },
    "Installed QEMU version '10.1.2' is too old to run machine type 'pc-q35-10.2+pve0', please upgrade node 'pve1'",
  ],
  [{ machine: 'pc-q35-10.0+pve2' }, `${FULL} 'pc-q35-10.0+pve2', please upgrade node 'pve1'`],
  [{ machine: 'pc-q35-10.0+pve1' }, 'OK'],
  [{ machine: 'q35' }, 'OK'],
  [{ bios: 'ovmf', cpu: 'kvm32' }, 'OVMF (UEFI) BIOS is not supported on 32-bit CPU types'],
  [{ hostpci0: '0000:ff:1f.0' }, "no PCI device found for '0000:ff:1f.0'"],
  [{ hostpci0: 'mapping=card' }, MAPPING('PCI')],
  [{ usb0: 'mapping=card' }, MAPPING('USB')],
  [{ usb0: 'host=1234:5678' }, 'OK'],
  [
    { usb5: 'host=1234:5678' },
    'using usb5 is only possible with machine type >= 7.1 and ostype l26 or windows > 7',
  ],
  [{ usb5: 'host=1234:5678', ostype: 'l26' }, 'OK'],
  [{ serial0: 'socket', serial1: '/dev/ttyS0' }, 'OK'],
  [{ serial0: '/dev/ttyUSB7' }, 'no such serial device'],
  [{ parallel0: '/dev/parport0' }, 'no such parallel device'],
  [
    { memory: 512, numa: 1, numa0: 'cpus=0,memory=256' },
    'total memory for NUMA nodes must be equal to vm static memory',
  ],
  [
    { memory: 512, numa: 1, numa0: 'cpus=0,memory=512,hostnodes=0' },
    'you need to define a policy for hostnode 0',
  ],
  [{ memory: 4_000_000 }, GONE],
])('the node has not what the guest wants: %j: %s', async (params, exitstatus) => {
  expect(await start(params)).toBe(exitstatus);
});

it('a PCI device that is not there is told twice, and behind another reason too', async () => {
  await cluster.run('POST', '/nodes/pve1/qemu', { vmid: 100, hostpci0: '0000:ff:1f.0' });
  const missing = "no PCI device found for '0000:ff:1f.0'";
  expect((await cluster.run('POST', `${VM}/status/start`)).log).toEqual([missing, `TASK ERROR: ${missing}`]);
  await cluster.data('PUT', `${VM}/config`, { machine: 'pc-i440fx-99.0' });
  const { log } = await cluster.run('POST', `${VM}/status/start`);
  expect(log).toEqual([
    missing,
    expect.stringContaining("TASK ERROR: Installed QEMU version '10.1.2' is too old"),
  ]);
});

it('a volume that is gone is told before all else, a hook script before that', async () => {
  cluster.breaks(/which is not on pve1/);
  await cluster.run('POST', '/nodes/pve1/qemu', { vmid: 100, scsi0: 'local:1', net0: 'virtio,bridge=vmbr9' });
  const guest = cluster.world.guests[100];
  if (!guest) throw new Error('no guest');
  const volid = 'local:100/vm-100-disk-0.raw';
  cluster.world.volumes = cluster.world.volumes.filter(volume => volume.volid !== volid);
  const started = async (): Promise<string> => (await cluster.run('POST', `${VM}/status/start`)).exitstatus;
  expect(await started()).toBe(`volume '${volid}' does not exist`);
  guest.config['hookscript'] = 'local:snippets/gone.sh';
  expect(await started()).toBe(
    "hookscript error for 100 on pre-start: script 'local:snippets/gone.sh' does not exist",
  );
});

it('a guest runs as the machine that it was started with', async () => {
  await cluster.run('POST', '/nodes/pve1/qemu', { vmid: 100, machine: 'pc-q35-9.0' });
  await cluster.run('POST', `${VM}/status/start`);
  expect(await cluster.data('GET', `${VM}/status/current`)).toMatchObject({
    'running-machine': 'pc-q35-9.0+pve0',
  });
});
