import { lab, labWorld, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

const { disks: _, ...bare } = blankMachine;
const clone: Json = {
  ...bare,
  image: { template: 'ubuntu-22.04' },
  power: 'running',
  restart: 'whenNeeded',
  forceStop: true,
  shutdownTimeout: '1s',
};
const GIB = 1024 ** 3;
let cluster: Lab;
afterEach(() => cluster.close());

/** A linked clone whose template stands on such a storage; its base is gone from its volume since, as Proxmox lists it. */
async function flattened(type: string): Promise<void> {
  const world = labWorld();
  const template = world.guests[9000]!;
  const [old, ...rest] = template.config['scsi0']!.split(',');
  const volume = world.volumes.find(({ volid }) => volid === old)!;
  if (type !== 'dir') {
    const shared = { content: 'images', shared: true, enabled: true, total: 900 * GIB };
    world.storages.push({ storage: 'block', type, ...shared });
    Object.assign(volume, { volid: 'block:base-9000-disk-0', storage: 'block', node: null, format: 'raw' });
    template.config['scsi0'] = [volume.volid, ...rest].join(',');
  }
  cluster = await lab({ world, as: 'root', taskMs: 0 });
  expect(await cluster.bring(clone)).toEqual([]);
  const made = cluster.world.volumes.find(({ volid }) => volid === fileOf())!;
  expect(made.volid).toMatch(/base-9000-disk-0.*\/.*vm-10000-disk-0/);
  made.volid = made.volid.replace(/:(?:\d+\/)?base-[^/]+\//, ':');
  delete made.parent;
}

const guest = () => cluster.world.guests[10_000]!;
const fileOf = () => guest().config['scsi0']!.split(',')[0];

// PVE lists it without its base then, and its configuration keeps the name with it (RBDPlugin.pm, ZFSPoolPlugin.pm)
test.each(['rbd', 'zfspool', 'dir'])('a clone that was flattened is restarted, on %s', async type => {
  await flattened(type);
  expect(await cluster.bring({ ...clone, cpu: { cores: 3 } })).toEqual([]);
  expect(guest()).toMatchObject({ config: { cores: '3' }, running: expect.anything() as unknown });
  expect(guest().pending).toEqual({});
});

test('one whose volume somebody deleted is not', async () => {
  await flattened('rbd');
  cluster.world.volumes = cluster.world.volumes.filter(({ vmid }) => vmid !== 10_000);
  const errors = await cluster.bring({ ...clone, cpu: { cores: 3 } });
  expect(errors).toEqual([expect.stringContaining("storage 'block' has no such volume")]);
});
