import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';

/** What a backup does to the power of its guest: pve-manager VZDump.pm, qemu-server VZDump/QemuServer.pm. */

const VM = '/nodes/pve1/qemu/100';

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
  await cluster.run('POST', '/nodes/pve1/qemu', { vmid: 100, name: 'web', memory: 64, scsi0: 'local:1' });
  cluster.world.guests[100]!.system = { kind: 'linux', bootMs: 2000, agent: true, obeysShutdown: true };
});
afterEach(() => cluster.close());

const asked = (mode: string) => ({ vmid: 100, storage: 'local', mode });
const backUp = (mode: string, more: Record<string, string | number> = {}) =>
  cluster.run('POST', '/nodes/pve1/vzdump', { ...asked(mode), ...more });

async function boot(): Promise<void> {
  await cluster.run('POST', `${VM}/status/start`);
  await cluster.pass(2000);
}

async function status(): Promise<Record<string, unknown>> {
  return (await cluster.data('GET', `${VM}/status/current`)) as Record<string, unknown>;
}

function tasks(type: string): number {
  return cluster.simulator.sim.tasks.all().filter(task => task.type === type).length;
}

it('mode stop shuts the guest down and boots it as another process while the backup begins', async () => {
  await boot();
  await cluster.pass(60_000);
  const { pid } = await status();
  const { exitstatus, log } = await backUp('stop');
  expect(exitstatus).toBe('OK');
  const lines = log.map(line => line.replace(/\d+ seconds|task '.*'|archive '.*'/, '…'));
  expect(lines.slice(3, -3)).toEqual([
    'INFO: status = running',
    'INFO: backup mode: stop',
    'INFO: VM Name: web',
    'INFO: stopping virtual guest',
    'INFO: creating vzdump …',
    'INFO: starting kvm to execute backup task',
    'INFO: starting backup via QMP command',
    'INFO: started backup …',
    'INFO: resuming VM again after …',
    expect.stringMatching(/^INFO: Finished Backup of VM 100 \(00:00:0\d\)$/),
  ]);
  const is = await status();
  expect(is).toMatchObject({ status: 'running', qmpstatus: 'running' });
  expect(is['pid']).not.toBe(pid);
  expect(Number(is['uptime'])).toBeLessThan(10);
  expect([tasks('qmshutdown'), tasks('qmstart')]).toEqual([1, 1]);
});

it('a guest that does not obey, or stands still, is not backed up in mode stop', async () => {
  cluster.world.guests[100]!.system.obeysShutdown = false;
  await boot();
  const command = "command 'qm shutdown 100 --skiplock --keepActive --timeout 60' failed: exit code 255";
  const late = await backUp('stop', { stopwait: 1 });
  expect(late.exitstatus).toBe('job errors');
  expect(late.log).toContain('INFO: VM quit/powerdown failed - got timeout');
  expect(late.log).toContain(`ERROR: Backup of VM 100 failed - ${command}`);
  expect(await status()).toMatchObject({ status: 'running' });
  await cluster.run('POST', `${VM}/status/suspend`);
  expect((await backUp('stop', { stopwait: 1 })).log).toContain('INFO: VM is paused - cannot shutdown');
  expect(await status()).not.toHaveProperty('lock');
});

it('mode suspend pauses the guest until the backup has begun, and leaves alone one that was paused', async () => {
  await boot();
  const { pid } = await status();
  const upid = await cluster.begin('POST', '/nodes/pve1/vzdump', asked('suspend'));
  await cluster.pass(270);
  expect(await status()).toMatchObject({ qmpstatus: 'paused', lock: 'backup' });
  const { log } = await cluster.ended(upid);
  const order = ['suspending guest', 'resuming VM again after 0 seconds', 'resume vm'];
  expect(log.filter(line => order.includes(line.slice(6)))).toEqual(order.map(line => `INFO: ${line}`));
  expect(await status()).toMatchObject({ qmpstatus: 'running', pid });
  await cluster.run('POST', `${VM}/status/suspend`);
  expect((await backUp('suspend')).exitstatus).toBe('OK');
  expect(await status()).toMatchObject({ qmpstatus: 'paused', pid });
});

it('mode snapshot freezes the file systems for a moment, where the agent answers', async () => {
  await cluster.data('PUT', `${VM}/config`, { agent: 1 });
  await cluster.run('POST', `${VM}/status/start`);
  const told = async () => (await backUp('snapshot')).log.filter(line => /fs-|freeze/.test(line));
  expect(await told()).toEqual([
    'INFO: skipping guest filesystem freeze - agent configured but not running?',
  ]);
  await cluster.pass(2000);
  expect(await told()).toEqual([
    "INFO: issuing guest-agent 'fs-freeze' command",
    "INFO: issuing guest-agent 'fs-thaw' command",
  ]);
  await cluster.data('POST', `${VM}/agent/fsfreeze-freeze`);
  expect(await told()).toEqual(['INFO: skipping guest filesystem freeze - already frozen']);
});

it('a guest that is off, also a template, has a process of its own that stands still for the backup', async () => {
  const upid = await cluster.begin('POST', '/nodes/pve1/vzdump', asked('snapshot'));
  await cluster.pass(700);
  expect(await status()).toMatchObject({ status: 'running', qmpstatus: 'prelaunch', lock: 'backup' });
  expect((await cluster.ended(upid)).log).toContain('INFO: stopping kvm after backup task');
  expect(await status()).toMatchObject({ status: 'stopped' });
  await cluster.run('POST', `${VM}/template`);
  expect((await backUp('stop')).exitstatus).toBe('OK');
  expect(await status()).toMatchObject({ status: 'stopped' });
});

it('a stopped backup brings its guest back, and so does one without room', async () => {
  const upid = await cluster.begin('POST', '/nodes/pve1/vzdump', asked('snapshot'));
  await cluster.pass(700);
  await cluster.data('DELETE', `/nodes/pve1/tasks/${encodeURIComponent(upid)}`);
  expect((await cluster.ended(upid)).exitstatus).not.toBe('OK');
  expect(await status()).toMatchObject({ status: 'stopped' });
  await boot();
  const local = cluster.world.storages.find(({ storage }) => storage === 'local')!;
  local.total = 1;
  const full = await backUp('stop');
  expect(full.log).toContain('INFO: aborting backup job');
  expect(await status()).toMatchObject({ status: 'running', qmpstatus: 'running' });
  expect(await status()).not.toHaveProperty('lock');
});
