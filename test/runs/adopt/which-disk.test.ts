import type { Guest } from '../../../simulator/world';
import type { CliLab } from '../../support/processes/cli';
import { lineLab } from '../../support/runs/line-lab';

const VMID = 10_000;
const root = { name: 'root', size: '8G', storage: 'local-lvm' };
const data = { name: 'data', size: '10G', storage: 'local-lvm' };
const made = { id: 'web', image: { blank: true }, power: 'stopped', disks: [root, data] };
const adopting = (disks: object[]) => ({ id: 'web', adopt: true, vmid: VMID, power: 'stopped', disks });

let lab: CliLab;
beforeEach(async () => {
  lab = await lineLab();
  expect(await lab.apply(made)).toMatchObject({ code: 0 });
  const { config } = guest();
  // it is let go: nobody remembers which disk is which
  delete config['description'];
  delete config['tags'];
  lab.writes();
});
afterEach(() => lab.close());

const guest = (): Guest => lab.world.guests[VMID]!;
const disksOf = ({ config }: Guest): string[] => Object.keys(config).filter(key => /^scsi\d+$/.test(key));

test('a disk that is the only one like it is the one of the spec: no second one is made', async () => {
  const before = structuredClone(guest());
  expect(await lab.apply(adopting([root, data]), { entry: 'e2' })).toMatchObject({ code: 0 });
  expect(disksOf(guest())).toEqual(disksOf(before));
  // and it is known from now on
  expect(await lab.apply(adopting([root, { ...data, size: '12G' }]), { entry: 'e2' })).toMatchObject({
    code: 0,
  });
  expect(disksOf(guest())).toEqual(disksOf(before));
  expect(guest().config['scsi1']).toContain('size=12G');
});

test.each<[why: string, disks: object[]]>([
  ['its size is another one', [root, { ...data, size: '12G' }]],
  ['its storage is another one', [root, { ...data, storage: 'local' }]],
  ['two of the spec are like it', [root, data, { ...data, name: 'logs' }]],
])(
  'nothing tells which disk it is (%s): refused, and nothing is written; its slot tells',
  async (_, disks) => {
    const before = disksOf(guest());
    const { code, stderr } = await lab.apply(adopting(disks), { entry: 'e2' });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('disk "data"') as string });
    expect(stderr).toContain('Give disks[data] its slot in the spec');
    expect(lab.writes()).toEqual([]);
    expect(disksOf(guest())).toEqual(before);
  },
);

test('by the remedy: its slot, or a free one for a new disk; the slots may go again', async () => {
  const grown = { ...data, size: '12G', slot: 'scsi1' };
  const logs = { name: 'logs', size: '1G', storage: 'local-lvm', slot: 'scsi2' };
  const adopted = adopting([root, grown, logs]);
  expect(await lab.apply(adopted, { entry: 'e2' })).toMatchObject({ code: 0 });
  expect(disksOf(guest())).toEqual(['scsi0', 'scsi1', 'scsi2']);
  expect(guest().config['scsi1']).toContain('size=12G');
  const without = [root, grown, logs].map(disk => ({ ...disk, slot: undefined }));
  expect(await lab.apply(adopting(without), { entry: 'e2' })).toMatchObject({ code: 0 });
  expect(disksOf(guest())).toEqual(['scsi0', 'scsi1', 'scsi2']);
});
