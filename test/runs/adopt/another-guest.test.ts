import { administratorOf } from '../../support/cluster/administrator';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { terraformOn } from '../../support/runs/as-planned';

const disks = [{ name: 'root', slot: 'scsi0', size: '8G', storage: 'local-lvm' }];
const web: Json = { id: 'web', vmid: 555, adopt: true, memory: '4Gi', power: 'stopped', disks };
const THEIRS = { vmid: '555', memory: '2048', scsi0: 'local-lvm:5', ostype: 'l26' };

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab();
  await make('pve1', { vmid: '555', name: 'web', memory: '4096', scsi0: 'local-lvm:8', ostype: 'l26' });
});
afterEach(() => cluster.close());

async function make(node: string, guest: Record<string, string>): Promise<void> {
  expect(await administratorOf(cluster)('POST', `/nodes/${node}/qemu`, guest)).toBe(true);
}

/** The guest goes by hand, and its number is given to a colleague's. */
async function replacedBy(guest: Record<string, string>): Promise<object> {
  expect(await administratorOf(cluster)('DELETE', '/nodes/pve1/qemu/555')).toBe(true);
  await make('pve2', { ...THEIRS, ...guest });
  return structuredClone(cluster.world.guests[555]!.config);
}

it('leaves the guest of another name that has the number of one that was adopted', async () => {
  expect(await cluster.bring(web)).toEqual([]);
  const before = await replacedBy({ name: 'payroll' });
  expect(await cluster.bring(web)).toEqual([
    expect.stringMatching(
      /guest 555 \(payroll\) on pve2 cannot be adopted: it is called payroll, and this machine web: .*say name: "payroll" for its adoption.*Nothing was changed/s,
    ),
  ]);
  expect(cluster.world.guests[555]!.config).toEqual(before);
});

it('takes over a guest of another name where the spec says that name, and renames it in a later apply', async () => {
  await replacedBy({ name: 'payroll' });
  expect(await cluster.bring({ ...web, name: 'payroll' })).toEqual([]);
  expect(await cluster.bring({ ...web, name: 'pay' })).toEqual([]);
  expect(cluster.world.guests[555]!.config['name']).toBe('pay');
});

it('takes over no guest without a name until it has one', async () => {
  const before = await replacedBy({});
  expect(await cluster.bring(web)).toEqual([
    expect.stringMatching(/it has no name, and this machine is called web: .*qm set 555 --name web/s),
  ]);
  expect(cluster.world.guests[555]!.config).toEqual(before);
  cluster.world.guests[555]!.config['name'] = 'web';
  expect(await cluster.bring(web)).toEqual([]);
});

it.each([
  ['that shares its name with others', 'shop-555', { name: 'shop' }],
  ['that has none', 'vm-555', {}],
])('takes over a guest %s, where the id says its number', async (_, id, guest) => {
  await replacedBy(guest);
  expect(await cluster.bring({ ...web, id })).toEqual([]);
  expect(cluster.world.guests[555]!.config['description']).toContain(`"m":"${id}"`);
});

it('adopts nothing by the plan of Terraform that found our guest, also not one of its name', async () => {
  const terraform = terraformOn(cluster);
  expect(await terraform.apply(web, await terraform.plan(web))).toEqual([]);
  const more = { ...web, tags: ['x'] };
  const token = await terraform.plan(more);
  const before = await replacedBy({ name: 'web' });
  expect(await terraform.apply(more, token)).toEqual([
    expect.stringMatching(/VM 555 on pve2 carries no mark of this machine now, and would be adopted/),
  ]);
  expect(cluster.world.guests[555]!.config).toEqual(before);
  expect(await terraform.apply(more, await terraform.plan(more))).toEqual([]);
});

it.each([
  ['with changes', web],
  ['as it is', { id: 'web', vmid: 555, adopt: true }],
])('adopts only the guest that the plan of Terraform showed: %s', async (_, want) => {
  const terraform = terraformOn(cluster);
  const token = await terraform.plan(want);
  const before = await replacedBy({ name: 'web' });
  expect(await terraform.apply(want, token)).toEqual([
    expect.stringMatching(/VM 555 on pve2 is another guest than the one that the plan showed.*plan again/s),
  ]);
  expect(cluster.world.guests[555]!.config).toEqual(before);
  expect(await terraform.apply(want, await terraform.plan(want))).toEqual([]);
});

it('adopts the guest that the plan showed, also where somebody has changed it since', async () => {
  const terraform = terraformOn(cluster);
  const token = await terraform.plan(web);
  cluster.world.guests[555]!.config['memory'] = '2048';
  expect(await terraform.apply(web, token)).toEqual([]);
  expect(await terraform.apply(web, token)).toEqual([]);
});
