import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { suspendToDisk } from '../../support/runs/suspended';

const disks = [{ name: 'root', size: '8Gi', storage: 'local-lvm' }];
const web: Json = { id: 'web', image: { blank: true }, disks, onImageChange: 'rebuild' };

let cluster: Lab;
const guest = () => cluster.world.guests[10_000];
const left = () => cluster.world.volumes.filter(({ vmid }) => vmid === 10_000).map(({ volid }) => volid);

beforeEach(async () => {
  cluster = await lab({ taskMs: 5 });
  expect(await cluster.bring(web)).toEqual([]);
  await suspendToDisk(cluster);
  expect(left()).toHaveLength(2);
});
afterEach(() => cluster.close());

// Proxmox destroys it in spite of its lock, which only a start would end
describe('a guest that was suspended to disk', () => {
  it('is destroyed, with the memory that was saved', async () => {
    expect(await cluster.bring(undefined)).toEqual([]);
    expect(guest()).toBeUndefined();
    expect(left()).toEqual([]);
  });

  it('is destroyed where its disk is gone', async () => {
    const at = cluster.world.volumes.findIndex(({ volid }) => guest()?.config['scsi0']?.startsWith(volid));
    cluster.world.volumes.splice(at, 1);
    const [refused = ''] = await cluster.bring(web);
    expect(refused).toContain('pve-reconciler destroy web, then apply, makes the machine anew');
    expect(await cluster.bring(undefined)).toEqual([]);
    expect(await cluster.bring(web)).toEqual([]);
    expect(guest()?.running).toBeTruthy();
  });

  it('is made anew, and is not woken for that', async () => {
    const image = { template: 'debian-12' };
    const before = guest()?.config['smbios1'];
    cluster.calls();
    expect(await cluster.bring({ ...web, image, timeouts: { apply: '5s' } })).toEqual([]);
    expect(guest()).toMatchObject({ running: { qmp: 'running' } });
    expect(guest()?.config['smbios1']).not.toBe(before);
    expect(cluster.calls().filter(line => line.endsWith('10000/status/start'))).toHaveLength(1);
  });
});
