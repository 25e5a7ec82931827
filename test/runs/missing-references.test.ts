import { writes } from '../support/cluster/end-state';
import type { Json, Lab, LabOptions } from '../support/cluster/lab';
import { desired, errorsOf, lab } from '../support/cluster/lab';

let cluster: Lab;
const open = async (options: LabOptions = {}): Promise<void> => {
  cluster = await lab({ taskMs: 0, ...options });
};
afterEach(() => cluster.close());

const web: Json = { id: 'web', image: { template: 'ubuntu-22.04' }, power: 'stopped' };
const brought = async (machine: Json): Promise<string[]> => errorsOf(await cluster.run(desired([machine])));

describe('what is not there is named before anything is written, with what there is instead', () => {
  const iso = 'shared:iso/debian-12.9.0-amd64-netinst.iso';
  test.each<[string, Json, string]>([
    ['a pool', { pool: 'nope' }, "pool 'nope' not found; the cluster has prod, lab."],
    [
      'an ISO file',
      { image: { iso: 'shared:iso/nope.iso' }, disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }] },
      `volume 'shared:iso/nope.iso' not found on node`,
    ],
    ['an ISO file for the drive', { image: { blank: true }, cdrom: 'shared:iso/nope.iso' }, iso],
    [
      'a snapshot of what is cloned',
      { image: { template: 9000, clone: 'full', snapshot: 'nope' } },
      "has no snapshot 'nope'; it has none",
    ],
  ])('%s', async (_, fields, said) => {
    await open();
    const errors = await brought({ ...web, ...fields });
    expect(errors).toEqual([expect.stringContaining(said)]);
    expect(writes(cluster.simulator)).toEqual([]);
  });

  test('and a pool that a change names', async () => {
    await open();
    expect(await brought(web)).toEqual([]);
    cluster.simulator.ledger.reset();
    expect(await brought({ ...web, pool: 'nope' })).toEqual([
      expect.stringContaining("pool 'nope' not found"),
    ]);
    expect(writes(cluster.simulator)).toEqual([]);
  });
});

test('a template that the cluster lists without its name so far is found on its node', async () => {
  await open({ lagMs: 600_000 });
  const template = Object.values(cluster.world.guests).find(
    ({ config }) => config['name'] === 'ubuntu-22.04',
  )!;
  const config = { ...template.config, name: 'fresh', scsi0: 'none,media=cdrom' };
  cluster.world.guests[9_900] = { ...structuredClone(template), vmid: 9_900, config };
  const errors = await brought({ ...web, image: { template: 'fresh', clone: 'full' } });
  expect(errors.join()).not.toContain("template 'fresh' not found");
});

test('a disk becomes qcow2 by a move, while its machine runs', async () => {
  await open();
  const disk = { name: 'root', size: '1G', storage: 'local', format: 'raw' };
  cluster.world.storages.find(({ storage }) => storage === 'local')!.content += ',images';
  const machine = { ...web, image: { blank: true }, node: 'pve1', power: 'running' };
  expect(await brought({ ...machine, disks: [disk] })).toEqual([]);
  expect(await brought({ ...machine, disks: [{ ...disk, format: 'qcow2' }] })).toEqual([]);
  const [guest] = Object.values(cluster.world.guests).filter(({ config }) => config['name'] === 'web');
  expect(guest?.config['scsi0']).toMatch(/\.qcow2,/);
  expect(Object.keys(guest!.config).filter(key => key.startsWith('unused'))).toEqual([]);
});
