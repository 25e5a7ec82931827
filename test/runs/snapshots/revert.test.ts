import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administratorOf } from '../../support/cluster/administrator';
import { writes } from '../../support/cluster/end-state';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const guest = () => cluster.world.guests[10_000]!;
const at = '/nodes/pve1/qemu/10000';
const types = () => cluster.simulator.sim.tasks.all().map(({ type }) => type);
const rollbacks = () => types().filter(type => type === 'qmrollback').length;
const volumes = () => cluster.world.volumes.map(({ volid }) => volid);
const mark = (): Json =>
  JSON.parse(/<!-- pvr:(.*) -->/.exec(guest().config['description'] ?? '')?.[1] ?? '{}') as Json;

/** A machine with a snapshot `clean`, and what was changed since. */
async function made(more: Json = {}, since: Json = {}): Promise<void> {
  const { includeMemory = false, ...machine } = more;
  const want = { ...blankMachine, ...machine };
  expect(await cluster.bring({ ...want, snapshots: [{ name: 'clean', includeMemory }] })).toEqual([]);
  expect(await cluster.bring({ ...want, ...since })).toEqual([]);
}

it('goes back once for each value, and is brought to its spec then', async () => {
  await made({ description: 'one', tags: ['a'] }, { description: 'two', tags: ['b'] });
  const want = { ...blankMachine, description: 'two', tags: ['b'], revertTo: 'clean' };
  expect(await cluster.bring(want)).toEqual([]);
  expect(rollbacks()).toBe(1);
  expect(guest().config).toMatchObject({ parent: 'clean', tags: expect.stringMatching(/^b;pvr-/) });
  expect(guest().config['description']).toMatch(/^two\n/);
  expect(mark()).toMatchObject({ m: 'web', r: 'clean' });
  expect(mark()).not.toHaveProperty('q');
  cluster.simulator.ledger.reset();
  expect(await cluster.bring(want)).toEqual([]);
  expect(writes(cluster.simulator)).toEqual([]);
  expect(await cluster.bring({ ...want, revertTo: 'clean#2' })).toEqual([]);
  expect(rollbacks()).toBe(2);
});

it.each([
  ['running', true],
  ['running', false],
  ['unmanaged', true],
  ['unmanaged', false],
])('runs afterwards where it ran: power %s, memory kept: %s', async (power, includeMemory) => {
  await made({ power: 'running', includeMemory });
  expect(await cluster.bring({ ...blankMachine, power, revertTo: 'clean' })).toEqual([]);
  expect(rollbacks()).toBe(1);
  expect(guest().running).not.toBeNull();
  expect(mark()).not.toHaveProperty('s');
});

it('of a new machine to a snapshot that is taken as it is made is done with that', async () => {
  const want = { ...blankMachine, snapshots: [{ name: 'clean' }], revertTo: 'clean' };
  expect(await cluster.bring(want)).toEqual([]);
  expect(mark()).toMatchObject({ r: 'clean' });
  expect(await cluster.bring(want)).toEqual([]);
  expect(rollbacks()).toBe(0);
});

it('of a new machine to one that it cannot have is told, and the machine is made', async () => {
  const want = { ...blankMachine, revertTo: 'clean' };
  expect(await cluster.bring(want)).toEqual([]);
  const told = "a new machine has no snapshot 'clean', so it cannot go back to one. Remove revertTo.";
  expect(cluster.events).toContainEqual({ kind: 'warning', machine: want.id, text: told });
  const plans = cluster.events.flatMap(event => (event.kind === 'planned' ? [event.plan] : []));
  expect(plans[0]).toMatchObject({ refusals: [], warnings: [{ about: 'revertTo', text: told }] });
  expect(await cluster.bring(want)).toEqual([]);
  expect(rollbacks()).toBe(0);
});

it('of a machine that is to be made anew to one that it then cannot have destroys nothing', async () => {
  await made();
  const smaller = { disks: [{ name: 'root', size: '2G', storage: 'local-lvm' }] };
  const back = { ...blankMachine, revertTo: 'clean', rebuildOn: ['disks'] };
  expect(await cluster.bring(back)).toEqual([]);
  expect((await cluster.bring({ ...back, ...smaller })).join()).toContain(
    "a new machine has no snapshot 'clean'",
  );
  expect(guest().config['scsi0']).toContain('size=8G');
});

it('gets the password of today again, whoever has rolled it back', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'password-')), 'password');
  writeFileSync(file, 'secret');
  const login = (passwordVersion: number): Json => ({
    ...blankMachine,
    cloudInit: { user: 'me', passwordFrom: { file }, passwordVersion },
  });
  expect(await cluster.bring({ ...login(1), snapshots: [{ name: 'clean' }] })).toEqual([]);
  expect(await cluster.bring(login(2))).toEqual([]);
  const today = guest().config['cipassword'];
  await administratorOf(cluster)('POST', `${at}/snapshot/clean/rollback`);
  expect(guest().config['cipassword']).not.toBe(today);
  expect(await cluster.bring(login(2))).toEqual([]);
  expect(guest().config['cipassword']).not.toBe(guest().snapshots['clean']!.config['cipassword']);
  cluster.simulator.ledger.reset();
  expect(await cluster.bring(login(2))).toEqual([]);
  expect(writes(cluster.simulator)).toEqual([]);
});

it('finds a machine again that was rolled back to before it was ours', async () => {
  const admin = administratorOf(cluster);
  await admin('POST', '/nodes/pve1/qemu', { vmid: '300', name: 'web', scsi0: 'local-lvm:1' });
  await admin('POST', '/nodes/pve1/qemu/300/snapshot', { snapname: 'clean' });
  const adopted = { id: 'web', vmid: 300, adopt: true, power: 'stopped', tags: ['a'] };
  expect(await cluster.bring(adopted)).toEqual([]);
  await admin('POST', '/nodes/pve1/qemu/300/snapshot/clean/rollback');
  expect(cluster.world.guests[300]!.config['tags']).toBeUndefined();
  expect(await cluster.bring({ ...adopted, adopt: false })).toEqual([]);
  expect(cluster.world.guests[300]!.config['tags']).toMatch(/^a;pvr-/);
  expect(cluster.world.guests[10_000]).toBeUndefined();
});

describe('is refused before anything is sent', () => {
  const refusal = async (want: Json): Promise<string> => {
    cluster.simulator.ledger.reset();
    const [error = ''] = await cluster.bring({ ...blankMachine, revertTo: 'clean', ...want });
    expect(writes(cluster.simulator)).toEqual([]);
    return error;
  };
  it('without any snapshot', async () => {
    expect(await cluster.bring(blankMachine)).toEqual([]);
    expect(await refusal({})).toMatch(
      /no snapshot 'clean' to go back to: it has none\. Remove revertTo, or take/,
    );
  });
  it('without such a snapshot', async () => {
    await made();
    expect(await refusal({ revertTo: 'dirty' })).toMatch(/no snapshot 'dirty' to go back to: it has clean\./);
  });
  it('to one that was cut short', async () => {
    await made();
    guest().snapshots['clean']!.snapstate = 'delete';
    expect(await refusal({})).toContain("snapshot 'clean' of VM 10000 is not whole");
  });
  it('where a disk came since', async () => {
    const disks = [...blankMachine.disks, { name: 'data', size: '1G', storage: 'local-lvm' }];
    await made({}, { disks });
    expect(await refusal({ disks })).toMatch(/knows other disks: "data" \(local-lvm:vm-10000-disk-1\)/);
  });
  it('where that disk would be deleted, with what keeps it', async () => {
    const data = { name: 'data', size: '1G', storage: 'local-lvm', onRemove: 'delete' };
    const disks = [...blankMachine.disks, data];
    await made({}, { disks });
    expect(await refusal({ disks })).toContain(
      'Set onRemove of "data" to keep and apply that, without revertTo, or the volume is deleted; then remove them from disks and apply again, before it goes back',
    );
    const kept = [...blankMachine.disks, { ...data, onRemove: 'keep' }];
    expect(await cluster.bring({ ...blankMachine, disks: kept })).toEqual([]);
    expect(await cluster.bring(blankMachine)).toEqual([]);
    expect(await cluster.bring({ ...blankMachine, revertTo: 'clean' })).toEqual([]);
    expect(rollbacks()).toBe(1);
    expect(Object.values(guest().config)).toContain('local-lvm:vm-10000-disk-1');
    expect(volumes()).toContain('local-lvm:vm-10000-disk-1');
  });
  it('where nobody could tell later that it was done', async () => {
    await made();
    guest().config['vmgenid'] = '0';
    expect(await refusal({})).toContain('the vmgenid of VM 10000 is switched off');
  });
});
