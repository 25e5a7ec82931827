import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';

const LIST = '/nodes/pve1/qemu';

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster();
});
afterEach(() => cluster.close());

const create = (params: Record<string, string | number> = {}) =>
  cluster.run('POST', LIST, { vmid: 100, memory: 64, ...params });
const destroy = (params: Record<string, string | number> = {}) =>
  cluster.run('DELETE', `${LIST}/100`, params);
const volids = () => cluster.world.volumes.filter(({ vmid }) => vmid === 100).map(({ volid }) => volid);

describe('destroying a guest', () => {
  it('frees its disks, also unused ones, and its rights, pool and firewall', async () => {
    await create({ scsi0: 'local:1', scsi1: 'local:1', ide2: 'local:cloudinit' });
    await cluster.data('PUT', `${LIST}/100/config`, { delete: 'scsi1' });
    cluster.world.pools['p'] = { vms: [100, 7], storages: [] };
    const acl = { path: '/vms/100', type: 'user', ugid: 'tf@pve', roleid: 'PVEVMUser', propagate: true };
    cluster.world.access.acl.push(acl as (typeof cluster.world.access.acl)[number]);
    expect((await destroy()).exitstatus).toBe('OK');
    expect(volids()).toEqual([]);
    expect(cluster.world.guests[100]).toBeUndefined();
    expect(cluster.world.pools['p'].vms).toEqual([7]);
    expect(cluster.world.access.acl.some(({ path }) => path === '/vms/100')).toBe(false);
  });

  it('keeps ISO images and what it only borrows', async () => {
    await cluster.run('POST', LIST, { vmid: 200, memory: 64, scsi0: 'local:1' });
    await create({ ide2: 'local:iso/tiny.iso,media=cdrom', scsi1: 'local:200/vm-200-disk-0.raw' });
    await destroy();
    const left = cluster.world.volumes.map(({ volid }) => volid);
    expect(left).toContain('local:iso/tiny.iso');
    expect(left).toContain('local:200/vm-200-disk-0.raw');
  });

  it('leaves volumes that nothing names, unless asked for them', async () => {
    await create({ scsi0: 'local:1', scsi1: 'local:1' });
    delete cluster.world.guests[100]!.config['scsi1'];
    await destroy();
    expect(volids()).toEqual(['local:100/vm-100-disk-1.raw']);
    await create();
    await destroy({ 'destroy-unreferenced-disks': 1 });
    expect(volids()).toEqual([]);
  });

  it('frees the saved memory of its snapshots', async () => {
    await create({ scsi0: 'local:1,format=qcow2' });
    await cluster.run('POST', `${LIST}/100/status/start`);
    await cluster.run('POST', `${LIST}/100/snapshot`, { snapname: 'ram', vmstate: 1 });
    await cluster.run('POST', `${LIST}/100/status/stop`);
    await destroy();
    expect(volids()).toEqual([]);
  });

  it('in HA needs purge, which takes it out of HA', async () => {
    await create();
    cluster.world.ha.resources['vm:100'] = { sid: 'vm:100', state: 'stopped', settings: {} };
    cluster.world.ha.rules['r'] = { type: 'node-affinity', settings: { resources: 'vm:100,vm:7' } };
    expect(await cluster.refusal('DELETE', `${LIST}/100`)).toBe(
      '500 unable to remove VM 100 - used in HA resources and purge parameter not set.',
    );
    expect((await destroy({ purge: 1 })).log).toEqual([
      'purging VM 100 from related configurations..',
      'NOTE: removed VM 100 from HA resource configuration.',
      'TASK OK',
    ]);
    expect(cluster.world.ha.resources).toEqual({});
    expect(cluster.world.ha.rules['r'].settings['resources']).toBe('vm:7');
  });

  it('without quorum destroys the disks and keeps the configuration', async () => {
    await create({ scsi0: 'local:1' });
    cluster.world.cluster!.quorate = false;
    expect((await destroy()).exitstatus).toMatch(
      /^unable to open file '\/etc\/pve\/nodes\/pve1\/qemu-server\/100\.conf\.tmp\.\d+' - Permission denied$/,
    );
    expect(volids()).toEqual([]);
    expect(await cluster.data('GET', `${LIST}/100/config`)).toMatchObject({
      scsi0: 'local:100/vm-100-disk-0.raw,size=1G',
    });
  });

  it.each([
    ['locked', { lock: 'backup' }, 'VM is locked (backup)'],
    ['suspended', { lock: 'suspended' }, 'OK'],
  ])('that is %s ends as it should', async (_, change, text) => {
    await create();
    Object.assign(cluster.world.guests[100]!.config, change);
    expect((await destroy()).exitstatus).toBe(text);
  });

  it('is started over inside the task: what changed meanwhile counts', async () => {
    await create();
    const start = await cluster.begin('POST', `${LIST}/100/status/start`);
    const { exitstatus } = await destroy();
    expect(exitstatus).toBe('VM 100 is running - destroy failed');
    expect((await cluster.ended(start)).exitstatus).toBe('OK');
  });
});
