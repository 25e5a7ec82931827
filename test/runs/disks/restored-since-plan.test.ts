import { writes } from '../../support/cluster/end-state';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { terraformOn } from '../../support/runs/as-planned';
import { backupsOf } from '../../support/runs/backed-up';
import { blankMachine } from '../../support/runs/blank-machine';

/**
 * A plan shows that a disk goes, and a backup is restored over the machine before the apply. Proxmox gives the volume of another
 * disk the same name: the names of what is lost do not tell these apart, and the vmgenid does.
 */
const disk = (name: string, size: string): Json => ({
  ...{ name, size, storage: 'local-lvm' },
  onRemove: 'delete',
});
const machine = (...disks: Json[]): Json => ({ ...blankMachine, disks: [...blankMachine.disks, ...disks] });
const [old, data] = [machine(disk('old', '3G')), machine(disk('data', '4G'))];
const VOLUME = 'local-lvm:vm-10000-disk-1';

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ taskMs: 5 });
  expect(await cluster.bring(old)).toEqual([]);
  await backupsOf(cluster).backUp();
  expect(await cluster.bring(machine())).toEqual([]);
  expect(await cluster.bring(data)).toEqual([]);
  expect(config()['scsi1']).toContain(VOLUME);
});
afterEach(() => cluster.close());

const config = () => cluster.world.guests[10_000]!.config;

it('an apply where a disk goes is refused where a restore came after its plan, which the generation in the token tells', async () => {
  const terraform = terraformOn(cluster);
  const token = await terraform.plan(machine());
  await backupsOf(cluster).restore();
  expect(config()['scsi1']).toMatch(/size=3G/);
  cluster.simulator.ledger.reset();
  const [said] = await terraform.apply(machine(), token);
  expect(said).toContain('VM 10000 on pve1 was rolled back, or restored from a backup, since the plan said');
  expect(writes(cluster.simulator)).toEqual([]);
});

it('a token of a plan that loses nothing says no generation, and one of an earlier version is still read', async () => {
  const terraform = terraformOn(cluster);
  const read = (token: string) => JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as Json;
  expect(read(await terraform.plan({ ...data, tags: ['x'] }))).not.toHaveProperty('generation');
  const { generation, ...earlier } = read(await terraform.plan(machine()));
  expect(generation).toMatch(/^[0-9a-f]{8}$/);
  const token = Buffer.from(JSON.stringify(earlier)).toString('base64url');
  expect(await terraform.apply(machine(), token)).toEqual([]);
  expect(config()['scsi1']).toBeUndefined();
});
