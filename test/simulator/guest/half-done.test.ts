import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';

const LIST = '/nodes/pve1/qemu';

let cluster: OpenCluster;
afterEach(() => cluster.close());

describe('a clone that loses the quorum', () => {
  beforeEach(async () => {
    cluster = await openCluster();
    await cluster.run('POST', LIST, { vmid: 100, memory: 64, scsi0: 'local:1', scsi1: 'local:1' });
  });

  it('leaves its lock and half a machine, whose disk is gone', async () => {
    const upid = await cluster.begin('POST', `${LIST}/100/clone`, { newid: 101, full: 1, name: 'half' });
    while (cluster.world.guests[101]?.config['scsi0'] === undefined) await cluster.pass(50);
    cluster.world.cluster!.quorate = false;
    expect((await cluster.ended(upid)).exitstatus).toMatch(
      /^clone failed: unable to open file '\/etc\/pve\/nodes\/pve1\/qemu-server\/101\.conf\.tmp\.\d+' - Permission denied$/,
    );
    expect(await cluster.data('GET', `${LIST}/101/config`)).toMatchObject({
      lock: 'clone',
      name: 'half',
      scsi0: 'local:101/vm-101-disk-0.raw,size=1G',
    });
    expect(cluster.world.volumes.filter(({ vmid }) => vmid === 101)).toEqual([]);
    cluster.world.cluster!.quorate = true;
    expect((await cluster.run('DELETE', `${LIST}/101`)).exitstatus).toBe('VM is locked (clone)');
    expect((await cluster.run('DELETE', `${LIST}/101`, { skiplock: 1 })).exitstatus).toBe('OK');
  });

  it('before its first disk leaves an empty machine under a placeholder', async () => {
    cluster.breaks(/guest 101 is locked \(clone\) and no task runs for it/);
    const upid = await cluster.begin('POST', `${LIST}/100/clone`, { newid: 101, full: 1 });
    while (!cluster.world.guests[101]) await cluster.pass(50);
    cluster.world.cluster!.quorate = false;
    expect((await cluster.ended(upid)).exitstatus).toContain('Permission denied');
    expect(await cluster.data('GET', `${LIST}/101/config`)).toMatchObject({
      lock: 'clone',
      description: ' qmclone temporary file',
    });
  });
});

describe("Proxmox's own clean-up after a shutdown", () => {
  const put = () => cluster.patiently(cluster.refusal('PUT', `${LIST}/100/config`, { cores: 2 }));
  const restart = async (options: object): Promise<void> => {
    cluster = await openCluster(options);
    await cluster.run('POST', LIST, { vmid: 100, memory: 64 });
    cluster.world.guests[100]!.system = { kind: 'linux', bootMs: 0, agent: false, obeysShutdown: true };
    await cluster.run('POST', `${LIST}/100/status/start`);
    await cluster.run('POST', `${LIST}/100/status/shutdown`);
    await cluster.run('POST', `${LIST}/100/status/start`);
    await cluster.pass(1000);
  };

  // behaviour.md §15.6
  it('holds the lock of a guest that was started again', async () => {
    await restart({ cleanupMs: 30_000, taskMs: 200 });
    expect(await put()).toBe("500 can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout");
    await cluster.pass(30_000);
    expect(await put()).toBe('200 OK');
  });

  // qemu-server 9.2.6, qm cleanup: it looks each second whether the process has ended
  it('gives the lock back once the guest is off again', async () => {
    await restart({ cleanupMs: 30_000, taskMs: 200 });
    cluster.world.guests[100]!.running = null;
    await cluster.pass(2_000);
    expect(await put()).toBe('200 OK');
  });

  it('has ended before a reboot starts the guest', async () => {
    await restart({ cleanupMs: 30_000, taskMs: 200 });
    await cluster.pass(31_000);
    await cluster.run('POST', `${LIST}/100/status/reboot`);
    await cluster.pass(2_000);
    expect(cluster.world.guests[100]!.running).not.toBeNull();
    expect(await put()).toBe('200 OK');
  });

  it("is in nobody's way when it is not asked for", async () => {
    await restart({ taskMs: 200 });
    expect(await put()).toBe('200 OK');
  });
});
