import { guestLock } from '../../../simulator/cluster/lock-files';
import type { Answered } from '../../support/cluster/ask';
import type { OpenGuests } from '../../support/cluster/open-guests';
import { openGuests } from '../../support/cluster/open-guests';

let api: OpenGuests;
beforeEach(async () => (api = await openGuests()));
afterEach(() => api.close());

const create = (params: Record<string, string>, token?: string): Promise<Answered> =>
  api.request('POST', '/nodes/pve1/qemu', params, token);

describe('creating a guest', () => {
  it('adds an identity, a boot order and the version that made it', async () => {
    await api.create(100, { net0: 'virtio,bridge=vmbr0', scsi0: 'local:1', ide2: 'none,media=cdrom' });
    expect(await api.config(100)).toEqual({
      boot: 'order=scsi0;ide2;net0',
      digest: expect.stringMatching(/^[0-9a-f]{40}$/),
      ide2: 'none,media=cdrom',
      meta: expect.stringMatching(/^creation-qemu=\d+(\.\d+)+,ctime=\d+$/),
      net0: expect.stringMatching(/^virtio=BC:24:11(:[0-9A-F]{2}){3},bridge=vmbr0$/),
      scsi0: 'local:100/vm-100-disk-0.raw,size=1G',
      smbios1: expect.stringMatching(/^uuid=[0-9a-f-]{36}$/),
      vmgenid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('keeps what it is given', async () => {
    await api.create(100, {
      smbios1: 'manufacturer=X',
      boot: 'order=scsi1',
      vmgenid: '0',
      cipassword: 'clear',
    });
    const { smbios1, boot, vmgenid, cipassword } = await api.config(100);
    expect({ smbios1, boot, vmgenid, cipassword }).toEqual({
      smbios1: 'manufacturer=X',
      boot: 'order=scsi1',
      vmgenid: '0',
      cipassword: '**********',
    });
    expect(api.world.guests[100]?.config['cipassword']).toBe('clear');
  });

  it.each([
    ['win11', undefined, 'pc-i440fx-10.1'],
    ['win10', 'q35', 'pc-q35-10.1'],
    ['l26', 'q35', 'q35'],
    ['l26', undefined, undefined],
    ['win10', 'pc-q35-9.0', 'pc-q35-9.0'],
  ])('pins the machine of Windows only: %s with %s becomes %s', async (ostype, machine, stored) => {
    await api.create(100, { ostype, ...(machine === undefined ? {} : { machine }) });
    expect((await api.config(100))['machine']).toBe(stored);
  });

  it("takes MACs from the datacenter's prefix", async () => {
    api.world.datacenter['mac_prefix'] = 'AA:BB:CC';
    await api.create(100, { net0: 'virtio' });
    expect((await api.config(100))['net0']).toMatch(/^virtio=AA:BB:CC(:[0-9A-F]{2}){3}$/);
  });

  it.each([
    [100, 'qemu', "unable to create VM 100 - VM 100 already exists on node 'pve2'"],
    [100, 'lxc', "unable to create VM 100 - CT 100 already exists on node 'pve2'"],
  ] as const)('refuses an id that is taken anywhere (%s, %s)', async (vmid, type, reason) => {
    await api.create(vmid);
    Object.assign(api.world.guests[vmid]!, { node: 'pve2', type });
    expect(await create({ vmid: String(vmid) })).toMatchObject({ status: 500, reason });
  });

  it('waits five seconds for the lock file', async () => {
    const { sim } = api.simulator;
    let free = (): void => undefined;
    const held = sim.flocks.hold(
      guestLock('pve1', 100),
      1000,
      () => new Promise<void>(done => (free = done)),
    );
    const sleeps: number[] = [];
    const sleep = sim.clock.sleep;
    sim.clock.sleep = ms => {
      sleeps.push(ms);
      return Promise.resolve();
    };
    expect(await create({ vmid: '100' })).toMatchObject({
      status: 500,
      reason: "unable to create VM 100 - can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout",
    });
    expect(sleeps).toEqual([5000]);
    sim.clock.sleep = sleep;
    free();
    await held;
  });

  it('shows only its lock until the task has ended', async () => {
    const { sim } = api.simulator;
    let go = (): void => undefined;
    const sleep = sim.clock.sleep;
    sim.clock.sleep = () => new Promise(done => (go = () => done()));
    const { data } = await create({ vmid: '100', name: 'later' });
    const { digest: _, ...during } = await api.config(100);
    expect(during).toEqual({ lock: 'create' });
    expect(await api.put(100, { cores: '2' })).toMatchObject({
      status: 500,
      reason: 'VM is locked (create)',
    });
    sim.clock.sleep = sleep;
    go();
    await sim.tasks.ended(String(data));
    expect(await api.config(100)).toMatchObject({ name: 'later' });
  });

  it('leaves nothing when a disk cannot be made', async () => {
    const { exitstatus } = await api.run('POST', '/nodes/pve1/qemu', {
      vmid: '100',
      scsi0: 'local:1',
      scsi1: 'local:100/vm-100-disk-7.raw',
    });
    expect(exitstatus).toBe("unable to create VM 100 - volume 'local:100/vm-100-disk-7.raw' does not exist");
    expect(api.world.guests).toEqual({});
    expect(api.world.volumes.filter(({ vmid }) => vmid === 100)).toEqual([]);
  });

  it('refuses tags inside its task', async () => {
    const { world } = api.simulator;
    world.datacenter['user-tag-access'] = 'user-allow=none';
    const { exitstatus } = await api.run(
      'POST',
      '/nodes/pve1/qemu',
      { vmid: '100', tags: 'a' },
      'deployer@pve!t1=55555555-5555-4555-8555-555555555555',
    );
    expect(exitstatus).toBe(
      "unable to create VM 100 - 403 Permission check failed (/, Sys.Modify for modifying tag 'a')",
    );
    expect(world.guests).toEqual({});
  });

  it('starts it in a task of its own, whose failure is not its own', async () => {
    const { exitstatus, log } = await api.run('POST', '/nodes/pve1/qemu', {
      vmid: '100',
      start: '1',
      net0: 'virtio,bridge=nosuch',
    });
    expect([exitstatus, log]).toEqual(['OK', ['Execute autostart', 'TASK OK']]);
    const { tasks } = api.simulator.sim;
    const start = tasks.all().find(({ type }) => type === 'qmstart')!;
    await tasks.ended(start.upid);
    expect(start.exitstatus).toBe("bridge 'nosuch' does not exist");
  });

  it('joins its pool', async () => {
    api.world.pools['web'] = { vms: [], storages: [] };
    await api.create(100, { pool: 'web' });
    expect(api.world.pools['web'].vms).toEqual([100]);
  });

  it('needs a quorum', async () => {
    api.world.cluster!.quorate = false;
    expect(await create({ vmid: '100' })).toMatchObject({
      status: 500,
      reason: 'cluster not ready - no quorum?',
    });
  });
});

describe('who may create a guest', () => {
  const NOBODY = 'nobody@pve!t1=66666666-6666-4666-8666-666666666666';
  const DEPLOYER = 'deployer@pve!t1=55555555-5555-4555-8555-555555555555';
  const ROOT_TOKEN = 'root@pam!full=11111111-1111-4111-8111-111111111111';

  it.each<[string, string, Record<string, string>, string]>([
    ['nobody', NOBODY, {}, 'Permission check failed'],
    [
      'without the storage',
      DEPLOYER,
      { scsi0: 'local:1' },
      'Permission check failed (/storage/local, Datastore.AllocateSpace)',
    ],
    [
      'without the bridge',
      DEPLOYER,
      { net0: 'virtio,bridge=vmbr0' },
      'Permission check failed (/sdn/zones/localnetwork/vmbr0, SDN.Use)',
    ],
    [
      'without the VLAN',
      DEPLOYER,
      { net0: 'virtio,bridge=vmbr0,tag=7' },
      'Permission check failed (/sdn/zones/localnetwork/vmbr0/7, SDN.Use)',
    ],
    [
      'into a pool that is none',
      DEPLOYER,
      { pool: 'x' },
      "Permission check failed (pool 'x' does not exist)",
    ],
    ['with a start order', DEPLOYER, { startup: 'order=1' }, 'Permission check failed (/, Sys.Modify)'],
  ])('not %s', async (_, token, params, reason) => {
    expect(await create({ vmid: '100', ...params }, token)).toMatchObject({
      status: 403,
      reason,
    });
  });

  it.each([
    ['args', '-foo', "only root can set 'args' config"],
    ['lock', 'backup', "only root can set 'lock' config"],
    ['serial0', '/dev/ttyS0', "only root can set 'serial0' config for real devices"],
    ['hostpci0', '00:02.0', "only root can set 'hostpci0' config for non-mapped devices"],
    ['usb0', 'host=1-1', "only root can set 'usb0' config for real devices"],
  ])("not a token of root's with %s", async (key, value, reason) => {
    expect(await create({ vmid: '100', [key]: value }, ROOT_TOKEN)).toMatchObject({ status: 500, reason });
  });
});
