import type { MachinePlan } from '../../../reconciler/action';
import { planText } from '../../../reconciler/report/plan-text';
import { ActsOnce } from '../../support/cluster/acts-once';
import { administratorOf } from '../../support/cluster/administrator';
import { writes } from '../../support/cluster/end-state';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

let cluster: Lab;
let somebody: ActsOnce;
beforeEach(async () => {
  somebody = new ActsOnce();
  cluster = await lab({ before: somebody.asked });
});
afterEach(() => cluster.close());

const guarded: Json = { ...blankMachine, snapshotBeforeChange: true };
const guest = () => cluster.world.guests[10_000]!;
const names = (): string[] => Object.keys(guest().snapshots).sort();
const at = '/nodes/pve1/qemu/10000';
const taken = (): string[] =>
  writes(cluster.simulator).filter(line => line.startsWith(`POST ${at}/snapshot`));

it('snapshotBeforeChange takes one before a risky change, and closes it', async () => {
  expect(await cluster.bring(guarded)).toEqual([]);
  expect(names()).toEqual([]);
  cluster.simulator.ledger.reset();
  const wanted = { ...guarded, memory: '2Gi', cpu: { cores: 2 } };
  expect(await cluster.bring(wanted)).toEqual([]);
  expect(writes(cluster.simulator)[0]).toContain(`POST ${at}/snapshot`);
  expect(guest().snapshots['before-change-1']).toMatchObject({ config: { memory: '1024' } });
  expect(guest().snapshots['before-change-1']!.description).toMatch(/"z":2/);
  cluster.simulator.ledger.reset();
  expect(await cluster.bring(wanted)).toEqual([]);
  expect(writes(cluster.simulator)).toEqual([]);
});

it('the plan says it, first of all', async () => {
  expect(await cluster.bring(guarded)).toEqual([]);
  expect(await cluster.bring({ ...guarded, memory: '2Gi' })).toEqual([]);
  const plans = cluster.events.flatMap(event => (event.kind === 'planned' ? [event.plan.actions] : []));
  const first = plans.find(actions => actions.some(({ kind }) => kind === 'take-snapshot'));
  expect(first?.map(({ kind }) => kind)).toEqual(['take-snapshot', 'configure']);
});

it.each<[string, Json]>([
  ['words', { description: 'new', tags: ['one'] }],
  ['the power', { power: 'running' }],
])('takes none for %s', async (_, change) => {
  expect(await cluster.bring(guarded)).toEqual([]);
  expect(await cluster.bring({ ...guarded, ...change })).toEqual([]);
  expect(names()).toEqual([]);
});

it('takes one for a restart that is due, not for the change that waits for it', async () => {
  const runs = { ...guarded, power: 'running' };
  expect(await cluster.bring(runs)).toEqual([]);
  guest().system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  expect(await cluster.bring({ ...runs, memory: '2Gi', restart: 'whenNeeded' })).toEqual([]);
  expect(names()).toEqual(['before-change-1']);
  expect(taken()).toHaveLength(1);
});

it('keep says how many stay; what others took stays', async () => {
  const keeps = (memory: string): Json => ({ ...guarded, memory, snapshotBeforeChange: { keep: 2 } });
  expect(await cluster.bring(guarded)).toEqual([]);
  const theirs = { snapname: 'before-change-1', description: 'mine' };
  await administratorOf(cluster)('POST', `${at}/snapshot`, theirs);
  for (const memory of ['2Gi', '3Gi', '4Gi']) expect(await cluster.bring(keeps(memory))).toEqual([]);
  expect(names()).toEqual(['before-change-1', 'before-change-3', 'before-change-4']);
  expect(guest().snapshots['before-change-1']!.description).toBe('mine');
});

it('the older one goes, also where the clock of the node was set back since it was taken', async () => {
  expect(await cluster.bring(guarded)).toEqual([]);
  expect(await cluster.bring({ ...guarded, memory: '2Gi' })).toEqual([]);
  guest().snapshots['before-change-1']!.snaptime += 86_400;
  expect(await cluster.bring({ ...guarded, memory: '3Gi' })).toEqual([]);
  expect(names()).toEqual(['before-change-2']);
});

it('what goes with a newer one is named by the plan, also where that one is there already', async () => {
  const wants = (memory: string): Json => ({ ...guarded, memory });
  for (const memory of ['1Gi', '2Gi']) expect(await cluster.bring(wants(memory))).toEqual([]);
  const plans = (): MachinePlan[] =>
    cluster.events.flatMap(event => (event.kind === 'planned' ? [event.plan] : []));
  const fault = cluster.simulator.faults.add({
    ...{ methods: ['PUT', 'POST'], path: '/nodes/*/qemu/*/config' },
    effect: { kind: 'answer', status: 403, text: 'Permission check failed' },
  });
  for (const _ of ['takes one', 'has one']) {
    const seen = plans().length;
    expect(await cluster.bring(wants('3Gi'))).not.toEqual([]);
    const first = plans().slice(seen)[0]!;
    expect(first.losses).toEqual({ volumes: [], snapshots: [{ name: 'before-change-1' }] });
    expect(planText([first], 0)).toMatch(
      /then delete snapshot before-change-1$[^]*LOST: snapshot before-change-1$/m,
    );
  }
  cluster.simulator.faults.remove(fault);
  expect(await cluster.bring(wants('3Gi'))).toEqual([]);
  expect(names()).toEqual(['before-change-2']);
});

it('a change that fails names the way back; the next run takes no second one, and it leads back', async () => {
  expect(await cluster.bring(guarded)).toEqual([]);
  const fails = { methods: ['PUT', 'POST'], path: '/nodes/*/qemu/*/config' };
  const effect = { kind: 'answer', status: 403, text: 'Permission check failed' } as const;
  const fault = cluster.simulator.faults.add({ ...fails, effect });
  const wanted = { ...guarded, memory: '2Gi' };
  expect(await cluster.bring(wanted)).not.toEqual([]);
  const told = cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
  expect(told.join()).toContain('pve-reconciler snapshot revert web before-change-1');
  expect(await cluster.bring(wanted)).not.toEqual([]);
  cluster.simulator.faults.remove(fault);
  expect(await cluster.bring(wanted)).toEqual([]);
  expect(names()).toEqual(['before-change-1']);
  expect(taken()).toHaveLength(1);
});

describe('one whose change failed', () => {
  const off = (memory: string): Json => ({ ...blankMachine, memory });
  const failing = async (want: Json): Promise<void> => {
    const effect = { kind: 'answer', status: 403, text: 'Permission check failed' } as const;
    const path = '/nodes/*/qemu/*/config';
    const fault = cluster.simulator.faults.add({ methods: ['PUT', 'POST'], path, effect });
    expect(await cluster.bring(want)).not.toEqual([]);
    cluster.simulator.faults.remove(fault);
  };
  beforeEach(async () => {
    expect(await cluster.bring(guarded)).toEqual([]);
    await failing({ ...guarded, memory: '2Gi' });
    expect(guest().snapshots['before-change-1']!.description).toMatch(/"z":1/);
  });

  it.each([
    ['is false', { ...off('3Gi'), snapshotBeforeChange: false }],
    ['is gone', off('3Gi')],
    ['is gone, and nothing is left to do', off('1Gi')],
  ])('does not stand for a later change, once the field %s', async (_, between) => {
    expect(await cluster.bring(between)).toEqual([]);
    const { memory } = guest().config;
    expect(await cluster.bring({ ...guarded, memory: '4Gi' })).toEqual([]);
    expect(names()).toEqual(['before-change-2']);
    expect(guest().snapshots['before-change-2']!.config['memory']).toBe(memory);
  });

  it('is closed in a round of its own: the change is planned on what is there after it', async () => {
    const card = (more: Json): Json => ({
      ...off('1Gi'),
      networks: [{ name: 'lan', bridge: 'vmbr0', ...more }],
    });
    expect(await cluster.bring(card({}))).toEqual([]);
    await failing({ ...card({}), snapshotBeforeChange: true, memory: '2Gi' });
    const edit = { net0: `${guest().config['net0']},firewall=1` };
    somebody.before(/PUT .*10000\/config$/, () => administratorOf(cluster)('PUT', `${at}/config`, edit));
    expect(await cluster.bring(card({ vlan: 5 }))).toEqual([]);
    expect(somebody.hasActed()).toBe(true);
    expect(guest().config['net0']).toMatch(/firewall=1.*tag=5|tag=5.*firewall=1/);
  });

  it('nor where the change without one failed too: the message names the new one', async () => {
    await failing(off('3Gi'));
    await failing({ ...guarded, memory: '4Gi' });
    const told = cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
    expect(told.at(-1)).toContain('snapshot before-change-2 holds it');
    expect(names()).toEqual(['before-change-1', 'before-change-2']);
  });

  it('is closed once, and stays', async () => {
    expect(await cluster.bring(off('3Gi'))).toEqual([]);
    cluster.simulator.ledger.reset();
    expect(await cluster.bring(off('3Gi'))).toEqual([]);
    expect(writes(cluster.simulator)).toEqual([]);
    expect(names()).toEqual(['before-change-1']);
  });
});

it('a machine that never used it has its snapshots not listed for it', async () => {
  expect(await cluster.bring(blankMachine)).toEqual([]);
  await administratorOf(cluster)('POST', `${at}/snapshot`, { snapname: 'theirs' });
  cluster.calls();
  expect(await cluster.bring({ ...blankMachine, description: 'new' })).toEqual([]);
  expect(cluster.calls().filter(line => line.includes('/snapshot'))).toEqual([]);
});

it('where its storage keeps no snapshots, nothing is written', async () => {
  const disks = [{ name: 'root', size: '1G', storage: 'local' }];
  const raw = { ...blankMachine, disks };
  expect(await cluster.bring(raw)).toEqual([]);
  cluster.simulator.ledger.reset();
  const [error] = await cluster.bring({ ...raw, memory: '2Gi', snapshotBeforeChange: true });
  expect(error).toContain('web: VM 10000 cannot have snapshots: scsi0 is raw on local.');
  expect(writes(cluster.simulator)).toEqual([]);
  const [another] = await cluster.bring({ ...raw, id: 'new', snapshotBeforeChange: true });
  expect(another).toContain('cannot have snapshots: scsi0 is raw on local');
  expect(writes(cluster.simulator)).toEqual([]);
});

it('a disk that moves beside other changes is refused before anything is written; alone it moves', async () => {
  expect(await cluster.bring(guarded)).toEqual([]);
  const disks = [{ name: 'root', size: '8G', storage: 'shared' }];
  cluster.simulator.ledger.reset();
  const [error] = await cluster.bring({ ...guarded, disks, memory: '2Gi' });
  expect(error).toContain('disks[root]');
  expect(error).toContain('snapshotBeforeChange');
  expect(writes(cluster.simulator)).toEqual([]);
  expect(await cluster.bring({ ...guarded, disks })).toEqual([]);
  expect(names()).toEqual([]);
});
