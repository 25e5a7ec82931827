import type { Action, MachinePlan } from '../../../reconciler/action';
import { planText } from '../../../reconciler/report/plan-text';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

/** A machine with a snapshot `clean`; then what was changed since; then going back to it is asked for. */
async function made(before: Json, since: Json): Promise<Json> {
  const { includeMemory = false, ...machine } = before;
  const want = { ...blankMachine, ...machine };
  expect(await cluster.bring({ ...want, snapshots: [{ name: 'clean', includeMemory }] })).toEqual([]);
  expect(await cluster.bring({ ...want, ...since })).toEqual([]);
  cluster.events.length = 0;
  return { ...want, ...since, revertTo: 'clean' };
}

/** The plan that tells of going back, and those of the rounds after it. */
async function wentBack(want: Json): Promise<{ told: MachinePlan; rounds: MachinePlan[] }> {
  expect(await cluster.bring(want)).toEqual([]);
  const plans = cluster.events.flatMap(event => (event.kind === 'planned' ? [event.plan] : []));
  const [told, ...rounds] = plans;
  if (told === undefined) throw new Error('nothing was planned');
  return { told, rounds };
}

/** An action without what a write is compared by and what nobody knows before: our mark. */
function shape(action: Action): unknown {
  if (action.kind === 'describe-snapshot' || action.kind === 'take-snapshot')
    return [action.kind, action.name];
  if (action.kind === 'delete-snapshot') return [action.kind, action.name];
  if (action.kind !== 'configure') return action;
  const { description: _, ...set } = action.set;
  return ['write', set, action.delete];
}

it('what the snapshot has otherwise is told before it is written again', async () => {
  const want = await made({ tags: ['a'] }, { memory: '2Gi', tags: ['b'] });
  const { told } = await wentBack(want);
  expect(planText([told], 0).split('\n')).toEqual([
    'web: would write description, then go back to snapshot clean (what its disks hold since is lost), then write tags, memory, description',
    '  revertTo: (none) -> clean',
    '  tags: a -> b',
    '  memory: 1Gi -> 2Gi',
    '1 to change, 0 in sync, 0 refused.',
  ]);
});

it('a start is told once, and is no restart', async () => {
  const want = await made(running, { ...running, tags: ['b'] });
  const { told } = await wentBack(want);
  expect(planText([told], 0)).toMatch(
    /go back to snapshot clean .*, then write tags, description, then start\n/,
  );
});

const running = { power: 'running', shutdownTimeout: '1s' };
const lan = { name: 'lan', bridge: 'vmbr0' };
const disk = (size: string): Json => ({ disks: [{ name: 'root', size, storage: 'local-lvm' }] });

it.each<[string, Json, Json]>([
  ['nothing has changed since', {}, {}],
  ['memory, tags and name', { tags: ['a'] }, { memory: '2Gi', tags: ['b'], name: 'front' }],
  ['a description, which stays', { description: 'one' }, { description: 'two' }],
  ['what was said then and is not any more', { cpu: { cores: 2 } }, { cpu: { cores: 4 } }],
  ['a disk that has grown', disk('8G'), disk('10G')],
  ['a card that came', {}, { networks: [lan] }],
  ['a card that left', { networks: [lan] }, { networks: [] }],
  ['one that runs', running, { ...running, memory: '2Gi', restart: 'whenNeeded' }],
  ['one that ran and is to be off', running, { power: 'stopped', memory: '2Gi' }],
  [
    'one that runs on from its memory',
    { ...running, includeMemory: true, restart: 'whenNeeded' },
    { ...running, memory: '2Gi', tags: ['b'], restart: 'whenNeeded' },
  ],
  [
    'one that nobody switches on',
    { ...running, power: 'unmanaged', tags: ['a'] },
    { power: 'unmanaged', tags: ['b'] },
  ],
  [
    'one with a snapshot before each change',
    { snapshotBeforeChange: true },
    { snapshotBeforeChange: true, cpu: { cores: 4 } },
  ],
  ['a snapshot that is wanted too', {}, { tags: ['b'], snapshots: [{ name: 'later' }] }],
  ['cloud-init', { cloudInit: { user: 'a' } }, { cloudInit: { user: 'b' } }],
])('what is told is what the rounds after it do: %s', async (_, before, since) => {
  const want = await made(before, since);
  const { told, rounds } = await wentBack(want);
  // a restart is planned once Proxmox says that a write waits for it
  const done = rounds.flatMap(({ actions }) => actions).filter(({ kind }) => kind !== 'restart');
  expect((told.foreseen ?? []).map(shape)).toEqual(done.map(shape));
  const named = [...told.changes, ...told.waiting].map(({ field }) => field);
  const fields = rounds.flatMap(({ changes }) => changes.map(({ field }) => field));
  expect(fields.filter(field => !named.includes(field) && field !== 'power')).toEqual([]);
});

it('what then waits for a restart is told as waiting', async () => {
  const kept = { ...running, restart: 'never', includeMemory: true };
  const want = await made(kept, { power: 'stopped' });
  const { told } = await wentBack({ ...want, power: 'running', memory: '2Gi' });
  expect(told.waiting).toMatchObject([{ field: 'memory', from: '1Gi', to: '2Gi' }]);
  expect(cluster.world.guests[10_000]?.pending).toEqual({ memory: '2048' });
});

it('a restart that only comes after it is counted as one', async () => {
  const kept = { ...running, restart: 'whenNeeded', includeMemory: true };
  const want = await made(kept, { power: 'stopped' });
  const { told } = await wentBack({ ...want, power: 'running', memory: '2Gi' });
  expect(told.restart).toBe('now');
  expect(planText([told], 0)).toMatch(/go back to snapshot clean .*, then write memory.*, then restart\n/);
  expect(told.changes.some(({ effect }) => effect === 'restart')).toBe(true);
});
