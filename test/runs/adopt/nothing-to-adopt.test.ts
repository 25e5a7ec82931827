import { administratorOf } from '../../support/cluster/administrator';
import { writes } from '../../support/cluster/end-state';
import { lab, type Json, type Lab } from '../../support/cluster/lab';

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const adopted: Json = { id: 'web', vmid: 300, adopt: true, power: 'stopped' };
const blank: Json = {
  ...adopted,
  image: { blank: true },
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
};

it('makes no machine where there is no guest to adopt and no image', async () => {
  expect(await cluster.bring(adopted)).toEqual([
    expect.stringMatching(/there is no guest 300 to adopt.*Give the vmid of the guest; or.*remove adopt/s),
  ]);
  expect(writes(cluster.simulator)).toEqual([]);
});

it('makes one that has an image, and says that nothing was adopted', async () => {
  expect(await cluster.bring(blank)).toEqual([]);
  expect(cluster.world.guests[300]).toBeDefined();
  const changes = cluster.events.flatMap(event => (event.kind === 'planned' ? event.plan.changes : []));
  expect(changes).toContainEqual(
    expect.objectContaining({ field: 'adopt', to: 'nothing: there is no guest 300' }),
  );
});

describe('a guest that was adopted, and is to be made anew', () => {
  const root = { name: 'root', size: '4Gi', storage: 'local-lvm' };
  const smaller = { rebuildOn: ['disks'], disks: [{ ...root, size: '2Gi' }] };
  beforeEach(async () => {
    const admin = administratorOf(cluster);
    await admin('POST', '/nodes/pve1/qemu', { vmid: '300', name: 'web', scsi0: 'local-lvm:4' });
    expect(await cluster.bring({ ...adopted, ...smaller, disks: [root] })).toEqual([]);
  });

  it('is not destroyed where nothing says what to make in its place', async () => {
    expect(await cluster.bring({ ...adopted, ...smaller })).toEqual([
      expect.stringMatching(/no image to be made from\. Give it an image/),
    ]);
    expect(cluster.world.guests[300]!.config['scsi0']).toContain('size=4G');
  });

  it('is made of its image', async () => {
    expect(await cluster.bring({ ...blank, ...smaller })).toEqual([]);
    expect(cluster.world.guests[300]!.config['scsi0']).toContain('size=2G');
  });
});
