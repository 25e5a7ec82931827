import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';

const VM = '/nodes/pve1/qemu/100';

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
});
afterEach(() => cluster.close());

const create = (params: Record<string, string | number> = {}) =>
  cluster.run('POST', '/nodes/pve1/qemu', { vmid: 100, memory: 64, ...params });
const power = (verb: string, params: Record<string, string | number> = {}) =>
  cluster.run('POST', `${VM}/status/${verb}`, params);
const current = async () => (await cluster.data('GET', `${VM}/status/current`)) as Record<string, unknown>;

/** Gives the guest a system that boots, has an agent, and obeys its power button. */
function installLinux(bootMs = 2000): void {
  cluster.world.guests[100]!.system = { kind: 'linux', bootMs, agent: true, obeysShutdown: true };
}

describe('the state of a guest', () => {
  it('changes when the task is done, not when it is accepted', async () => {
    await create();
    const upid = await cluster.begin('POST', `${VM}/status/start`);
    expect(await current()).toMatchObject({ status: 'stopped', qmpstatus: 'stopped' });
    expect((await cluster.ended(upid)).exitstatus).toBe('OK');
    expect(await current()).toMatchObject({ status: 'running', qmpstatus: 'running' });
  });

  it('counts the time since the start', async () => {
    await create();
    await power('start');
    await cluster.pass(5000);
    expect((await current())['uptime']).toBe(5);
  });

  it('names network cards, drives and memory only while it runs', async () => {
    await create({ net0: 'virtio,bridge=vmbr0', scsi0: 'local:1' });
    const keys = ['nics', 'blockstat', 'balloon', 'ballooninfo', 'pid', 'running-machine', 'pressurecpusome'];
    const off = await current();
    expect(keys.filter(key => key in off)).toEqual([]);
    await power('start');
    const on = await current();
    expect(keys.filter(key => !(key in on))).toEqual([]);
    expect(Object.keys(on['nics'] as object)).toEqual(['tap100i0']);
    expect(Object.keys(on['blockstat'] as object)).toEqual(['scsi0']);
  });

  it('has no balloon figures when the device is off', async () => {
    await create({ balloon: 0 });
    await power('start');
    expect(await current()).not.toHaveProperty('ballooninfo');
  });

  it('keeps the host at its number of processors', async () => {
    await create({ cores: 999 });
    const { cpus } = await current();
    expect(cpus).toBe(cluster.world.nodes[0]!.cpus);
    expect((await power('start')).exitstatus).toBe(
      `MAX ${cluster.world.nodes[0]!.cpus} vcpus allowed per VM on this node`,
    );
  });
});

describe('start', () => {
  it.each([
    ['a bridge that is not there', { net0: 'virtio,bridge=vmbr9' }, "bridge 'vmbr9' does not exist"],
    ['a bridge of an older card', { net0: 'e1000,bridge=vmbr9' }, 'start failed: QEMU exited with code 1'],
    [
      'an MTU that the bridge does not carry',
      { net0: 'virtio,bridge=vmbr0,mtu=9000' },
      "netdev net0: MTU '9000' is bigger than the bridge MTU '1500'",
    ],
    ['memory hotplug without NUMA', { hotplug: 'memory' }, 'NUMA needs to be enabled for memory hotplug'],
  ])('fails inside the task on %s', async (_, params, text) => {
    await create(params);
    expect((await power('start')).exitstatus).toBe(text);
    expect(await current()).toMatchObject({ status: 'stopped' });
  });

  it('fails on a volume that somebody deleted', async () => {
    await create({ ide2: 'local:iso/tiny.iso,media=cdrom' });
    cluster.world.volumes = cluster.world.volumes.filter(({ volid }) => volid !== 'local:iso/tiny.iso');
    expect((await power('start')).exitstatus).toBe("volume 'local:iso/tiny.iso' does not exist");
  });

  it('only warns when an OVMF guest has no EFI disk', async () => {
    await create({ bios: 'ovmf' });
    const { exitstatus, log } = await power('start');
    expect(exitstatus).toBe('WARNINGS: 1');
    expect(log).toContain('WARN: no efidisk configured! Using temporary efivars disk.');
  });

  it.each([
    [
      { scsi0: 'local:1,iothread=1' },
      'iothread is only valid with virtio disk or virtio-scsi-single controller',
    ],
    [{ net0: 'e1000,bridge=vmbr0,mtu=1400' }, "netdev net0: ignoring MTU '1400', not using VirtIO"],
  ])('warns of what it ignores: %j', async (settings, said) => {
    await create(settings);
    const { exitstatus, log } = await power('start');
    expect(exitstatus).toBe('WARNINGS: 1');
    expect(log.join(' ')).toContain(`WARN: ${said}`);
  });

  it('is refused at once without quorum; stop goes on working', async () => {
    await create();
    await power('start');
    cluster.world.cluster!.quorate = false;
    expect((await power('stop')).exitstatus).toBe('OK');
    expect(await cluster.refusal('POST', `${VM}/status/start`)).toBe('500 cluster not ready - no quorum?');
  });

  it.each(['skiplock', 'stateuri', 'migratedfrom', 'force-cpu'])(
    'keeps %s for root himself',
    async option => {
      await create();
      const token = 'root@pam!full=11111111-1111-4111-8111-111111111111';
      const value = option === 'migratedfrom' ? 'pve2' : option === 'skiplock' ? 1 : 'unix';
      expect(await cluster.refusal('POST', `${VM}/status/start`, { [option]: value }, token)).toBe(
        `400 {"${option}":"Only root may use this option."}`,
      );
    },
  );

  it('waits for a lock and says so', async () => {
    await create();
    const first = await cluster.begin('POST', `${VM}/status/start`);
    const second = await cluster.begin('POST', `${VM}/status/start`);
    expect((await cluster.ended(first)).log).toEqual(['TASK OK']);
    expect((await cluster.ended(second)).log).toEqual([
      'trying to acquire lock...',
      ' OK',
      'TASK ERROR: VM 100 already running',
    ]);
  });

  it('respects a lock in the configuration, unless root skips it', async () => {
    await create();
    cluster.world.guests[100]!.config['lock'] = 'backup';
    expect((await power('start')).exitstatus).toBe('VM is locked (backup)');
    expect((await power('start', { skiplock: 1 })).exitstatus).toBe('OK');
  });
});

describe('shutdown', () => {
  it('takes a minute to fail on a guest without a system', async () => {
    await create();
    await power('start');
    const upid = await cluster.begin('POST', `${VM}/status/shutdown`);
    await cluster.pass(59_000);
    expect(await current()).toMatchObject({ status: 'running' });
    const { exitstatus } = await cluster.ended(upid);
    expect(exitstatus).toBe('VM quit/powerdown failed - got timeout');
  });

  it('takes its patience from the startup order', async () => {
    await create({ startup: 'order=1,down=3' });
    await power('start');
    const upid = await cluster.begin('POST', `${VM}/status/shutdown`);
    await cluster.pass(3000);
    const { exitstatus } = await cluster.ended(upid);
    expect(exitstatus).toBe('VM quit/powerdown failed - got timeout');
  });

  it('is obeyed by a system that is up, and ignored by one that still boots', async () => {
    await create();
    installLinux(10_000);
    await power('start');
    expect((await power('shutdown', { timeout: 2 })).exitstatus).toBe(
      'VM quit/powerdown failed - got timeout',
    );
    await cluster.pass(10_000);
    expect((await power('shutdown', { timeout: 2 })).exitstatus).toBe('OK');
    expect(await current()).toMatchObject({ status: 'stopped' });
  });

  it('applies what was waiting', async () => {
    await create();
    installLinux();
    await power('start');
    await cluster.data('PUT', `${VM}/config`, { cores: 2 });
    expect(await cluster.data('GET', `${VM}/config`, { current: 1 })).not.toHaveProperty('cores');
    await cluster.pass(5000);
    await power('shutdown');
    expect(await cluster.data('GET', `${VM}/config`, { current: 1 })).toMatchObject({ cores: 2 });
  });

  it('turns into a stop for a paused guest when forced', async () => {
    await create();
    await power('start');
    await power('suspend');
    expect(await cluster.refusal('POST', `${VM}/status/shutdown`)).toBe('500 VM is paused - cannot shutdown');
    expect((await power('shutdown', { forceStop: 1 })).exitstatus).toBe('OK');
    expect(await current()).toMatchObject({ status: 'stopped' });
  });

  it('is broken off by a stop that overrules it', async () => {
    await create();
    await power('start');
    const shutdown = await cluster.begin('POST', `${VM}/status/shutdown`);
    const stop = await cluster.begin('POST', `${VM}/status/stop`, { 'overrule-shutdown': 1 });
    expect((await cluster.ended(shutdown)).exitstatus).toBe('received interrupt');
    expect((await cluster.ended(stop)).log).toEqual([`overruled qmshutdown tasks: ${shutdown}`, 'TASK OK']);
    expect(await current()).toMatchObject({ status: 'stopped' });
  });
});

describe('reboot', () => {
  it('applies what was waiting and starts the guest by a task of its own', async () => {
    await create();
    installLinux();
    await power('start');
    const { pid } = await current();
    await cluster.data('PUT', `${VM}/config`, { cores: 2 });
    await cluster.pass(5000);
    expect((await power('reboot')).exitstatus).toBe('OK');
    await cluster.pass(5000);
    const after = await current();
    expect(after).toMatchObject({ status: 'running', cpus: 2 });
    expect(after['pid']).not.toBe(pid);
  });
});

describe('reset', () => {
  it('applies nothing that waits', async () => {
    await create();
    await power('start');
    await cluster.data('PUT', `${VM}/config`, { cores: 2 });
    expect((await power('reset')).exitstatus).toBe('OK');
    expect(await current()).toMatchObject({ status: 'running', cpus: 1 });
  });
});

describe('suspend to disk', () => {
  it('keeps the memory in a volume until the next start', async () => {
    await create({ scsi0: 'local:1' });
    await power('start');
    const { type, exitstatus } = await power('suspend', { todisk: 1 });
    expect([type, exitstatus]).toEqual(['qmsuspend', 'OK']);
    expect(await current()).toMatchObject({ status: 'stopped', lock: 'suspended' });
    const { vmstate } = (await cluster.data('GET', `${VM}/config`)) as Record<string, string>;
    expect(vmstate).toMatch(/^local:100\/vm-100-state-suspend-\d{4}-\d\d-\d\d\.raw$/);
    const state = cluster.world.volumes.find(({ volid }) => volid === vmstate);
    // what was allocated and not needed is cut off
    expect(state?.size).toBe(16 * 1024 ** 2);

    expect((await power('resume')).exitstatus).toBe('OK');
    expect(await current()).toMatchObject({ status: 'running' });
    const config = (await cluster.data('GET', `${VM}/config`)) as Record<string, string>;
    expect(['lock', 'vmstate', 'runningmachine'].filter(key => key in config)).toEqual([]);
    expect(cluster.world.volumes.some(({ volid }) => volid === vmstate)).toBe(false);
  });

  it('wakes a system that is up already: it obeys at once', async () => {
    await create({ agent: 1 });
    const guest = cluster.world.guests[100]!;
    guest.system = { kind: 'linux', bootMs: 600_000, agent: true, obeysShutdown: true };
    await power('start');
    await cluster.pass(600_000);
    await power('suspend', { todisk: 1 });
    await power('start');
    expect((await cluster.request('POST', `${VM}/agent/ping`)).status).toBe(200);
    expect((await power('shutdown')).exitstatus).toBe('OK');
  });

  it('applies no waiting change when it wakes up', async () => {
    await create({ scsi0: 'local:1' });
    await power('start');
    await cluster.data('PUT', `${VM}/config`, { cores: 2 });
    await power('suspend', { todisk: 1 });
    await power('start');
    expect(await current()).toMatchObject({ status: 'running', cpus: 1 });
  });
});

describe('a guest that is not there', () => {
  it.each([
    ['start', "Configuration file 'nodes/pve1/qemu-server/100.conf' does not exist"],
    ['stop', "unable to find configuration file for VM 100 on node 'pve1'"],
    ['shutdown', "unable to find configuration file for VM 100 on node 'pve1'"],
  ])('fails inside the task of %s', async (verb, text) => {
    expect((await power(verb)).exitstatus).toBe(text);
  });

  it('has no list of what can be done with it', async () => {
    expect(await cluster.refusal('GET', `${VM}/status`)).toBe(
      "500 Configuration file 'nodes/pve1/qemu-server/100.conf' does not exist",
    );
  });

  it.each(['reset', 'reboot', 'suspend', 'resume'])('is refused at once by %s', async verb => {
    expect(await cluster.refusal('POST', `${VM}/status/${verb}`)).toBe(
      "500 unable to find configuration file for VM 100 on node 'pve1'",
    );
  });
});
