import { program } from '../../../reconciler/commands/command-line';
import { runVerb, type Host } from '../../../reconciler/commands/run-verb';
import { administratorOf } from '../../support/cluster/administrator';
import { writes } from '../../support/cluster/end-state';
import { desiredJson, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { blankMachine } from '../../support/runs/blank-machine';

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab();
  expect(await cluster.bring(blankMachine)).toEqual([]);
  cluster.simulator.ledger.reset();
});
afterEach(() => cluster.close());

const guest = () => cluster.world.guests[10_000]!;
const at = '/nodes/pve1/qemu/10000';
const written = () => writes(cluster.simulator).join('\n');

/** Runs `snapshot …` as a person does. `answer`: what he says at his terminal, if he has one. */
async function snapshot(
  line: string[],
  { answer, want = blankMachine }: { answer?: string; want?: Json } = {},
) {
  const ran = { code: undefined as Host['exitCode'], out: '', said: '', asked: '' };
  const host: Host = {
    env: { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    stdin: [JSON.stringify(desiredJson([want]))],
    stdout: { write: text => (ran.out += text) },
    stderr: { write: text => (ran.said += text) },
    ...(answer !== undefined && {
      ask: question => {
        ran.asked = question;
        return Promise.resolve(answer);
      },
    }),
  };
  const whole = ['snapshot', ...line, '--spec', '-'];
  await program(asked => runVerb(asked, host)).parseAsync(whole, { from: 'user' });
  return { ...ran, code: host.exitCode };
}

it('takes one with --description and --memory, and lists it as text, JSON and YAML with --output', async () => {
  const want = { ...blankMachine, power: 'running' };
  expect(await cluster.bring(want)).toEqual([]);
  const taken = await snapshot(['create', 'web', 'clean', '--description', 'for me', '--memory'], { want });
  expect(taken).toMatchObject({ code: 0, said: expect.stringContaining('web: snapshot clean is taken.') });
  expect(guest().snapshots['clean']).toHaveProperty('vmstate');
  const { out } = await snapshot(['list', 'web']);
  expect(out).toMatch(/^SNAPSHOT +PARENT +MEMORY +TAKEN +DESCRIPTION\nclean +- +yes +\d{4}-\S+Z +for me\n$/);
  const json = await snapshot(['list', 'web', '--output', 'json']);
  expect(JSON.parse(json.out)).toMatchObject({
    machine: 'web',
    snapshots: [{ name: 'clean', description: 'for me', includesMemory: true }],
  });
  expect((await snapshot(['list', 'web', '-o', 'yaml'])).out).toContain('name: "clean"');
});

describe('going back that is refused names no field which nobody wrote', () => {
  it.each<[string, () => unknown, RegExp]>([
    [
      'to one that was cut short',
      () => (guest().snapshots['clean']!.snapstate = 'delete'),
      /is not whole.* Name another one\. Nothing/,
    ],
    [
      'of a guest without a vmgenid',
      () => (guest().config['vmgenid'] = '0'),
      /is switched off.* Roll it back in Proxmox \(qm rollback 10000 clean\)\. Nothing/,
    ],
  ])('%s', async (_, spoil, says) => {
    expect((await snapshot(['create', 'web', 'clean'])).code).toBe(0);
    spoil();
    const { code, said } = await snapshot(['revert', 'web', 'clean', '--yes']);
    expect([code, said]).toEqual([3, expect.stringMatching(says)]);
    expect(said).not.toContain('revertTo');
  });
});

it('has none to delete: nobody is told to take one first', async () => {
  const { said } = await snapshot(['delete', 'web', 'clean', '--yes']);
  expect(said).toContain(
    "VM 10000 has no snapshot 'clean': it has none. Nothing is to be deleted. Nothing was changed.",
  );
});

it.each([['--memory'], ['--description', 'x']])('takes none, so that %s is refused', async (...words) => {
  const { code, said } = await snapshot(['list', 'web', ...words]);
  expect({ code, said }).toEqual({
    code: 2,
    said: expect.stringContaining('--memory and --description are for snapshot create only') as string,
  });
});

it('does not look at the spec of the machine to take one', async () => {
  await snapshot(['create', 'web', 'clean'], { want: { ...blankMachine, memory: '4Gi', power: 'running' } });
  expect(written()).toMatch(/^POST \S+\/snapshot\b.*$/);
});

it('asks before something is lost, unless --yes is given', async () => {
  await snapshot(['create', 'web', 'clean']);
  cluster.simulator.ledger.reset();
  const nobody = await snapshot(['revert', 'web', 'clean']);
  expect(nobody).toMatchObject({
    code: 2,
    said: expect.stringContaining('Nobody can be asked here: add --yes'),
  });
  const no = await snapshot(['delete', 'web', 'clean'], { answer: '' });
  expect(no).toMatchObject({ code: 2, said: expect.stringContaining('not agreed: nothing was changed') });
  expect(no.asked).toMatch(
    /^Snapshot clean of web \(VM 10000 on pve1\), taken \S+, is deleted\. Go on\? \[y\/N\] $/,
  );
  expect(written()).toBe('');
  expect(await snapshot(['delete', 'web', 'clean', '--yes'])).toMatchObject({ code: 0 });
  expect(guest().snapshots).toEqual({});
});

it('goes back as often as it is asked to, and the machine is brought to its spec', async () => {
  const want = { ...blankMachine, tags: ['new'] };
  await snapshot(['create', 'web', 'clean']);
  for (const time of [1, 2]) {
    expect(await snapshot(['revert', 'web', 'clean'], { answer: 'y', want })).toMatchObject({ code: 0 });
    expect(guest().config).toMatchObject({ parent: 'clean', tags: expect.stringMatching(/^new;pvr-/) });
    const done = cluster.simulator.sim.tasks.all().filter(({ type }) => type === 'qmrollback');
    expect(done).toHaveLength(time);
  }
});

it('goes back once where the answer is lost', async () => {
  await snapshot(['create', 'web', 'clean']);
  const path = `${at}/snapshot/clean/rollback`;
  cluster.simulator.faults.add({ path, after: 0, count: 1, effect: { kind: 'reset', work: 'done' } });
  expect(await snapshot(['revert', 'web', 'clean', '--yes'])).toMatchObject({ code: 0 });
  const done = cluster.simulator.sim.tasks.all().filter(({ type }) => type === 'qmrollback');
  expect(done).toHaveLength(1);
});

it.each([
  ['create', 'clean', "snapshot 'clean' of VM 10000 is there"],
  ['delete', 'dirty', "VM 10000 has no snapshot 'dirty': it has clean"],
  ['revert', 'dirty', "VM 10000 has no snapshot 'dirty': it has clean"],
])('is refused: %s %s', async (deed, name, says) => {
  await administratorOf(cluster)('POST', `${at}/snapshot`, { snapname: 'clean' });
  cluster.simulator.ledger.reset();
  const ran = await snapshot([deed, 'web', name, '--yes']);
  expect(ran).toMatchObject({ code: 3, said: expect.stringContaining(says) });
  expect(written()).toBe('');
});

it('is refused for a guest that is not ours any more, and for a machine that is only observed', async () => {
  await snapshot(['create', 'web', 'clean']);
  const observed = await snapshot(['delete', 'web', 'clean', '--yes'], {
    want: { ...blankMachine, mode: 'observe' },
  });
  expect(observed).toMatchObject({ code: 2, said: expect.stringContaining('mode: observe') });
  guest().config['description'] = 'theirs';
  const foreign = await snapshot(['delete', 'web', 'clean', '--yes']);
  expect(foreign.code).toBe(3);
  expect(guest().snapshots).toHaveProperty('clean');
});

it('goes back to a snapshot before a change, brings the machine to its spec again, and keeps that snapshot', async () => {
  const want = { ...blankMachine, snapshotBeforeChange: true, cpu: { cores: 2 } };
  expect(await cluster.bring(want)).toEqual([]);
  const back = await snapshot(['revert', 'web', 'before-change-1', '--yes'], { want });
  expect(back).toMatchObject({ code: 0, said: expect.not.stringContaining('REFUSED') });
  expect(Object.keys(guest().snapshots)).toEqual(['before-change-1']);
  expect(guest().config['cores']).toBe('2');
});
