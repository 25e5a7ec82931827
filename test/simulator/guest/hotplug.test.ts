import type { OpenGuests } from '../../support/cluster/open-guests';
import { openGuests } from '../../support/cluster/open-guests';

let api: OpenGuests;
afterEach(() => api.close());

async function start(params: Record<string, string> = {}): Promise<void> {
  api = await openGuests();
  await api.create(100, {
    memory: '1024',
    cores: '2',
    scsihw: 'virtio-scsi-single',
    scsi0: 'local:1',
    net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0',
    ...params,
  });
  const { exitstatus } = await api.run('POST', '/nodes/pve1/qemu/100/status/start');
  expect(exitstatus).toBe('OK');
}

describe('a running guest', () => {
  it.each<[string, Record<string, string>]>([
    ['texts', { name: 'a', description: 'b', tags: 'c' }],
    ['how it starts with its host', { onboot: '1', startup: 'order=1' }],
    ['shares of the CPU', { cpuunits: '200', cpulimit: '1' }],
    ['its balloon', { balloon: '512' }],
    ['cloud-init values', { ciuser: 'x', ipconfig0: 'ip=dhcp' }],
    ['the tablet', { tablet: '0' }],
    ['the bridge', { net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr1' }],
    ['the link', { net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0,link_down=1' }],
    ['a new disk', { scsi1: 'local:1', virtio1: 'local:1' }],
    ['throttling', { scsi0: 'local:100/vm-100-disk-0.raw,mbps_rd=10' }],
    ['the features', { hotplug: 'disk' }],
  ])('takes over at once: %s', async (_, params) => {
    await start();
    expect(await api.put(100, params)).toMatchObject({ status: 200 });
    expect(await api.waiting(100)).toEqual({});
  });

  it.each<[string, Record<string, string>, Record<string, unknown>]>([
    ['cores', { cores: '4' }, { cores: 4 }],
    ['memory', { memory: '2048' }, { memory: '2048' }],
    ['the agent', { agent: '1' }, { agent: '1' }],
    ['no balloon', { balloon: '0' }, { balloon: 0 }],
    ['the feature memory', { hotplug: 'memory' }, { hotplug: 'memory' }],
    ['a SATA disk', { sata0: 'local:1' }, { sata0: 'local:100/vm-100-disk-1.raw,size=1G' }],
    [
      'a cache',
      { scsi0: 'local:100/vm-100-disk-0.raw,cache=none' },
      { scsi0: 'local:100/vm-100-disk-0.raw,cache=none,size=1G' },
    ],
    ['USB for a system that cannot', { usb0: 'host=spice' }, { usb0: 'host=spice' }],
  ])('lets wait: %s', async (_, params, waiting) => {
    await start();
    const before = await api.config(100, { current: '1' });
    expect(await api.put(100, params)).toMatchObject({ status: 200 });
    expect(await api.waiting(100)).toEqual(waiting);
    expect(await api.config(100)).toMatchObject(waiting);
    const key = Object.keys(params)[0]!;
    expect((await api.config(100, { current: '1' }))[key]).toEqual(before[key]);
  });

  it.each<[string, Record<string, string>, Record<string, string>]>([
    [
      'a network device that the guest holds',
      { net0: 'e1000=BC:24:11:00:00:01,bridge=vmbr0' },
      { net0: "hotplug problem - error on hot-unplugging device 'net0' - still busy in guest?\n" },
    ],
    [
      'a bridge that is not there',
      { net0: 'virtio=BC:24:11:00:00:01,bridge=nosuch' },
      { net0: 'hotplug problem - interface nosuch does not exist\n' },
    ],
    [
      'a new device on such a bridge',
      { net1: 'virtio,bridge=nosuch' },
      {
        net1: "hotplug problem - VM 100 qmp command 'netdev_add' failed - network script /usr/libexec/qemu-server/pve-bridge-hotplug failed with status 512\n",
      },
    ],
    [
      'the disk it boots from',
      { delete: 'scsi0' },
      { scsi0: "hotplug problem - can't unplug bootdisk 'scsi0'\n" },
    ],
  ])('answers 400 for %s, and the change waits', async (_, params, errors) => {
    await start();
    expect(await api.put(100, params)).toMatchObject({ status: 400, errors });
    expect(Object.keys(await api.waiting(100))).toContain(Object.keys(errors)[0]);
  });

  it('gives up a network device when its system answers', async () => {
    await start();
    api.world.guests[100]!.system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
    expect(await api.put(100, { delete: 'net0' })).toMatchObject({ status: 200 });
    expect((await api.config(100))['net0']).toBeUndefined();
  });

  it('writes the good keys of a request that fails for another', async () => {
    await start();
    const answer = await api.put(100, { name: 'kept', cores: '4', net1: 'virtio,bridge=nosuch' });
    expect(Object.keys(answer.errors!)).toEqual(['net1']);
    expect(await api.config(100, { current: '1' })).toMatchObject({ name: 'kept', cores: 2 });
    expect(Object.keys(await api.waiting(100)).sort()).toEqual(['cores', 'net1']);
  });

  it('plugs CPUs and memory where it was told so', async () => {
    await start({ numa: '1', vcpus: '1', hotplug: 'cpu,memory' });
    await api.put(100, { vcpus: '2', memory: '1600' });
    expect(await api.config(100, { current: '1' })).toMatchObject({ vcpus: 2, memory: '2048' });
    expect((await api.put(100, { vcpus: '3' })).errors).toEqual({
      vcpus: "hotplug problem - you can't add more vcpus than maxcpus\n",
    });
    expect((await api.put(100, { vcpus: '1' })).errors).toEqual({
      vcpus: 'hotplug problem - 400 Parameter verification failed.\nvcpus: error unplugging cpu2\n',
    });
    expect((await api.put(100, { memory: '1536' })).errors).toEqual({
      memory: 'hotplug problem - 400 Parameter verification failed.\ndimm1: error unplug memory module\n',
    });
  });

  it('tells in its task what could not be plugged', async () => {
    await start();
    const { exitstatus } = await api.run('POST', '/nodes/pve1/qemu/100/config', { delete: 'net0' });
    expect(exitstatus).toBe(
      "400 Parameter verification failed. net0: hotplug problem - error on hot-unplugging device 'net0' - still busy in guest? ",
    );
  });

  it('forgets what waits when that is reverted', async () => {
    await start();
    const before = (await api.config(100))['digest'];
    await api.put(100, { cores: '4', machine: 'q35', memory: '2048' });
    await api.put(100, { delete: 'memory' });
    expect(await api.waiting(100)).toEqual({ cores: 4, machine: 'q35', memory: 'delete 1' });
    expect(await api.put(100, { revert: 'cores,machine,memory' })).toMatchObject({ status: 200 });
    expect(await api.waiting(100)).toEqual({});
    expect((await api.config(100))['digest']).toBe(before);
  });

  it('applies what waits when it stops', async () => {
    await start();
    await api.put(100, { cores: '4', sata0: 'local:1' });
    await api.put(100, { delete: 'scsi0' });
    await api.run('POST', '/nodes/pve1/qemu/100/status/stop');
    expect(await api.waiting(100)).toEqual({});
    expect(await api.config(100)).toMatchObject({
      cores: 4,
      sata0: 'local:100/vm-100-disk-1.raw,size=1G',
      unused0: 'local:100/vm-100-disk-0.raw',
    });
  });

  it('destroys the disk of a forced deletion', async () => {
    await start();
    await api.put(100, { scsi1: 'local:1' });
    await api.put(100, { delete: 'scsi1', force: '1' });
    expect(api.world.volumes.map(({ volid }) => volid)).not.toContain('local:100/vm-100-disk-1.raw');
    expect((await api.config(100))['unused0']).toBeUndefined();
  });
});
