import { administratorOf } from '../../support/cluster/administrator';
import { marked, writes } from '../../support/cluster/end-state';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { terraformOn } from '../../support/runs/as-planned';
import { blankMachine } from '../../support/runs/blank-machine';

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const at = '/nodes/pve1/qemu/10000';
const guest = () => cluster.world.guests[10_000]!;
const mark = (): Json =>
  JSON.parse(/<!-- pvr:(.*) -->/.exec(guest().config['description'] ?? '')?.[1] ?? '{}') as Json;
const somebody = async (method: string, path: string, form?: Record<string, string>) =>
  expect(await administratorOf(cluster)(method, `${at}${path}`, form)).toBe(true);
const disk = (name: string, gib: number): Json => ({ name, size: `${gib}G`, storage: 'local-lvm' });
const withDisks = (...more: Json[]) => ({ ...blankMachine, disks: [...blankMachine.disks, ...more] });
const bring = async (want: Json) => expect(await cluster.bring(want)).toEqual([]);

async function isAtRest(want: Json): Promise<void> {
  cluster.simulator.ledger.reset();
  await bring(want);
  expect(writes(cluster.simulator)).toEqual([]);
}

/** Runs that change a machine, and somebody's snapshot between the first two, to which he goes back at the end. */
async function rolledBack(first: Json, ...since: Json[]): Promise<void> {
  await bring(first);
  await somebody('POST', '/snapshot', { snapname: 'old' });
  for (const want of since) await bring(want);
  await somebody('POST', '/snapshot/old/rollback');
}

describe('somebody rolls a machine back to a snapshot that is older than its mark', () => {
  it('identity, tags, token and slots are right after the next apply of Terraform', async () => {
    const terraform = terraformOn(cluster);
    const since = { ...blankMachine, tags: ['new'], networks: [{ name: 'lan' }], memory: '2Gi' };
    expect(await terraform.apply(blankMachine, await terraform.plan(blankMachine))).toEqual([]);
    await somebody('POST', '/snapshot', { snapname: 'old' });
    const token = await terraform.plan(since);
    expect(await terraform.apply(since, token)).toEqual([]);
    const before = mark();
    await somebody('POST', '/snapshot/old/rollback');
    expect(guest().config['tags']).not.toContain('new');
    expect(mark()).toEqual(before);

    const next = await terraform.plan(since);
    expect(await terraform.apply(since, next)).toEqual([]);
    expect(marked(cluster.world, 'web')).toHaveLength(1);
    expect(guest().config).toMatchObject({ memory: '2048', tags: expect.stringMatching(/^new;pvr-/) });
    expect(guest().config['smbios1']).toContain(before['u']);
    expect(guest().config['net0']).toContain('vmbr0');
    expect(mark()).toMatchObject({
      u: before['u'],
      d: { root: 'scsi0' },
      n: { lan: 'net0' },
      t: next,
    });
    await isAtRest(since);
  });

  it('a disk that came since is not made anew, empty: its volume is named', async () => {
    const want = withDisks(disk('data', 2));
    await rolledBack(blankMachine, want);
    cluster.simulator.ledger.reset();
    const [error] = await cluster.bring(want);
    expect(error).toContain(
      'rolled back since disk "data" got scsi1: its volume may be one that is unused now',
    );
    expect(error).toContain('unused0 (local-lvm:vm-10000-disk-1)');
    expect(writes(cluster.simulator)).toEqual([]);

    await somebody('PUT', '/config', { scsi1: 'local-lvm:vm-10000-disk-1' });
    await bring(want);
    await isAtRest(want);
  });

  it('a disk that had the slot then is not taken for the one that has it since', async () => {
    const want = withDisks(disk('new', 3));
    await rolledBack(withDisks(disk('old', 1)), blankMachine, want);
    expect(guest().config['scsi1']).toContain('vm-10000-disk-1,size=1G');
    const [error] = await cluster.bring(want);
    expect(error).toContain('disk "new" got scsi1');
    expect(guest().config['scsi1']).toContain('size=1G');

    // PVE lists the volume that it takes the place of as unused
    await somebody('PUT', '/config', { scsi1: 'local-lvm:vm-10000-disk-2' });
    const said = withDisks({ ...disk('new', 3), slot: 'scsi1' });
    await bring(said);
    expect(guest().config['scsi1']).toContain('vm-10000-disk-2,size=3G');
    await bring(want);
    await isAtRest(want);
  });

  it('disks that were there then are in no doubt', async () => {
    const want = withDisks(disk('data', 2));
    await rolledBack(want, withDisks(disk('data', 2), disk('extra', 1)), want, { ...want, memory: '2Gi' });
    expect(guest().config['unused0']).toContain('vm-10000-disk-2');
    await bring(want);
    await isAtRest(want);
  });

  it.each(['1', '0'])('one that ran runs again: snapshot with memory: %s', async vmstate => {
    const runs = { ...blankMachine, power: 'running' };
    await bring(runs);
    await somebody('POST', '/snapshot', { snapname: 'old', vmstate });
    await bring({ ...runs, tags: ['new'] });
    await somebody('POST', '/snapshot/old/rollback');
    expect(guest().running !== null).toBe(vmstate === '1');
    await bring({ ...runs, tags: ['new'] });
    expect(guest().running).not.toBeNull();
    expect(guest().config['tags']).toMatch(/^new;pvr-/);
    await isAtRest({ ...runs, tags: ['new'] });
  });
});

describe('a tree of snapshots', () => {
  const take = (snapname: string) => somebody('POST', '/snapshot', { snapname });
  const memory = (gib: number): Json => ({ ...blankMachine, memory: `${gib}Gi` });
  const parents = () =>
    Object.fromEntries(Object.entries(guest().snapshots).map(([name, { parent }]) => [name, parent]));

  /** root → left → leaf, and root → right. */
  beforeEach(async () => {
    await bring(memory(1));
    await take('root');
    await bring(memory(2));
    await take('left');
    await bring(memory(3));
    await take('leaf');
    await somebody('POST', '/snapshot/root/rollback');
    await take('right');
  });

  it('is told as it is', async () => {
    expect(parents()).toEqual({ root: undefined, left: 'root', leaf: 'left', right: 'root' });
  });

  it.each(['left', 'leaf', 'root'])('goes to %s and from there to another branch, once each', async to => {
    const types = () => cluster.simulator.sim.tasks.all().filter(({ type }) => type === 'qmrollback').length;
    const before = types();
    for (const name of [to, 'right', `${to}#2`]) {
      await bring({ ...memory(4), revertTo: name });
      expect(guest().config['parent']).toBe(name.replace('#2', ''));
      await isAtRest({ ...memory(4), revertTo: name });
    }
    expect(types() - before).toBe(3);
    expect(Object.keys(guest().snapshots).sort()).toEqual(['leaf', 'left', 'right', 'root']);
  });
});

it('retention spares the snapshot to which revertTo goes back', async () => {
  const want = (gib: number, more: Json = {}) => ({
    ...{ ...blankMachine, memory: `${gib}Gi`, snapshotBeforeChange: true },
    ...more,
  });
  await bring(want(1));
  await bring(want(2));
  expect(Object.keys(guest().snapshots)).toEqual(['before-change-1']);
  for (const gib of [3, 4]) await bring(want(gib, { revertTo: 'before-change-1' }));
  expect(Object.keys(guest().snapshots)).toContain('before-change-1');
  expect(guest().config['memory']).toBe('4096');
  await bring(want(5));
  expect(Object.keys(guest().snapshots)).not.toContain('before-change-1');
});

it('the way back from a snapshot takes no other one, and what goes in that run was named by its plan', async () => {
  const want = (gib: number, more: Json = {}) => ({
    ...{ ...blankMachine, memory: `${gib}Gi`, snapshotBeforeChange: { keep: 2 } },
    ...more,
  });
  for (const gib of [1, 2, 3]) await bring(want(gib));
  expect(Object.keys(guest().snapshots)).toEqual(['before-change-1', 'before-change-2']);
  const seen = cluster.events.length;
  await bring(want(3, { snapshotBeforeChange: true, revertTo: 'before-change-2' }));
  const [first] = cluster.events.slice(seen).flatMap(event => (event.kind === 'planned' ? [event.plan] : []));
  expect(first?.losses).toEqual({ volumes: [], snapshots: [{ name: 'before-change-1' }] });
  expect(Object.keys(guest().snapshots)).toEqual(['before-change-2']);
  expect(guest().config['memory']).toBe('3072');
});
