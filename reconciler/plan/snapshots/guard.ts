import { isAlwaysLive } from '../../guest/key-kinds';
import type { MachineSpec } from '../../../spec';
import { untouched, type Action, type Refusal, writtenKeys } from '../../action';
import type { HeldSnapshot } from '../../machine/facts';
import { heldByOne } from '../../machine/problems/snapshot-problems';
import type { Scene } from '../../machine/scene';
import { writeDescription, readDescription } from '../../mark/description';
import type { Mark } from '../../mark/mark';
import type { ObservedGuest } from '../../observed';
import { impossible, suspectsIn } from './plan-snapshots';
import { revertTarget } from './revert-target';
import { markOfSnapshot } from './snapshot-mark';
import { idsOf } from '../../mark/identity';

/** A plan with the snapshot before it, where the spec wants one. `wayBack`: the snapshot that holds the machine as it was. */
interface Guarded {
  before: Action[];
  after: Action[];
  refusals: Refusal[];
  wayBack?: string;
  /** The older ones that go once the change is done. */
  going?: string[];
}

const NAME = /^before-change-(\d{1,9})$/;
const NOTHING: Guarded = { before: [], after: [], refusals: [] };

/** How many snapshots before changes a machine keeps; undefined: none is taken. */
export function guardsKept(spec: Pick<MachineSpec, 'snapshotBeforeChange'>): number | undefined {
  const said = spec.snapshotBeforeChange;
  if (said === undefined || said === false) return undefined;
  return said === true ? 1 : (said.keep ?? 1);
}

/**
 * Whether an open one may be left where the spec wants none any more: PVE names a guest's last snapshot in its
 * configuration, so a machine that never had one pays no read for that. Not seen: one with a later snapshot on it.
 */
function mayHoldGuard({ template, current }: Pick<ObservedGuest, 'template' | 'current'>): boolean {
  return !template && NAME.test(current['parent'] ?? '');
}

/**
 * The snapshot before a risky change: taken once for the change, however many rounds and runs that takes. It is open
 * until nothing risky is left; then it is closed, and those beyond `keep` go. What this run makes needs none.
 */
export function guard(scene: Scene, guest: ObservedGuest, actions: readonly Action[]): Guarded {
  const { spec, context } = scene;
  const keep = guardsKept(spec);
  const list = mayHaveGuards(scene, guest) ? context.facts.ask('snapshots') : undefined;
  if (list === undefined) return NOTHING;
  const ours = guardsOf(scene, list);
  const open = ours.find(({ state }) => state === 'begun');
  // What is done without one makes it a state of before something else. So it is closed, and first: what follows may
  // fail half-way. A digest of the wish in its mark would take another one, of a half-changed machine, for each
  // correction of a change that failed, and would not tell a wish that comes back later.
  if (keep === undefined) return { ...NOTHING, before: closing(open) };
  if (!actions.some(isRisky))
    return { ...NOTHING, after: [...closing(open), ...surplus(scene, ours, keep).map(deletion)] };
  const goingWith = (more: number): string[] => surplus(scene, ours, keep - more).map(({ name }) => name);
  // the snapshot that it went back to is the way back; what another one would push out, no plan has named
  const [asked] = askedFor(scene);
  if (context.done.hasReverted && asked !== undefined)
    return { ...NOTHING, wayBack: asked, going: goingWith(0) };
  const problems = inTheWay(scene);
  if (problems.length > 0) return { ...NOTHING, refusals: problems };
  if (open) return { ...NOTHING, wayBack: open.name, going: goingWith(0) };
  const isPossible = context.facts.ask('canSnapshot') ?? true;
  if (!isPossible)
    return { ...NOTHING, refusals: [impossible(spec.id, guest.vmid, suspectsIn(guest.current))] };
  return { ...NOTHING, before: [taken(scene, freeName(list))], going: goingWith(1) };
}

function mayHaveGuards(scene: Scene, guest: Pick<ObservedGuest, 'template' | 'current'>): boolean {
  if (guest.template || !isOlder(scene)) return false;
  return guardsKept(scene.spec) !== undefined || mayHoldGuard(guest);
}

/** The snapshots before changes that go in a run which goes back to a snapshot. */
export function goingWithRevert(scene: Scene): string[] {
  const keep = guardsKept(scene.spec);
  const list = keep === undefined || !isOlder(scene) ? undefined : scene.context.facts.ask('snapshots');
  if (keep === undefined || list === undefined) return [];
  return surplus(scene, guardsOf(scene, list), keep).map(({ name }) => name);
}

/** Whether it was whole before this run. */
function isOlder({ context, mark, origin }: Scene): boolean {
  return (
    origin === 'kept' && mark !== undefined && mark.isUnfinished !== true && mark.uuid !== context.done.uuid
  );
}

/** What cannot be taken back by writing the old spec again: devices, disks, a restart. Moves lose nothing. */
function isRisky(action: Action): boolean {
  if (action.kind === 'configure') return !writtenKeys(action).every(isAlwaysLive);
  return action.kind === 'resize' || action.kind === 'restart';
}

interface Ours extends HeldSnapshot {
  state: NonNullable<Mark['guard']>;
}

/**
 * The snapshots that we took of this very guest before changes, the oldest first: by their numbers, as the clock of a node
 * may be set, and that of another node may be behind.
 */
function guardsOf({ spec, context, uuid }: Scene, list: readonly HeldSnapshot[]): Ours[] {
  const { owner } = context.wanted.identity;
  const ids = idsOf(spec);
  const found = list.flatMap(each => {
    const state = markOfSnapshot(each, { owner, ids }, uuid)?.guard;
    return state === undefined || each.isPartial || !NAME.test(each.name) ? [] : [{ ...each, state }];
  });
  return found.sort((one, other) => numberOf(one) - numberOf(other));
}

function closing(open: Ours | undefined): Action[] {
  if (open === undefined) return [];
  const { text, mark } = readDescription(open.description);
  if (mark === undefined) return [];
  const description = writeDescription(text, { ...mark, guard: 'done' });
  return [{ kind: 'describe-snapshot', name: open.name, taken: open.taken, description }];
}

/** Those beyond `keep`. The one to which this run went back stays: it was asked for by its name. */
function surplus(scene: Scene, ours: readonly Ours[], keep: number): Ours[] {
  const asked = askedFor(scene);
  return ours.slice(0, Math.max(0, ours.length - keep)).filter(({ name }) => !asked.includes(name));
}

function askedFor({ spec, context }: Scene): string[] {
  return [context.wanted.revert, revertTarget(spec)].flatMap(name => name ?? []);
}

function deletion({ name, taken }: HeldSnapshot): Action {
  return { kind: 'delete-snapshot', name, taken };
}

/** A disk that is to move or to be deleted could do neither while the snapshot holds it. */
function inTheWay(scene: Scene): Refusal[] {
  const { spec, next } = scene;
  const held = heldByOne(scene, { name: 'before the change', config: next });
  const remedy = 'Apply that change alone with snapshotBeforeChange: false, then the others.';
  return held.map(({ field, from }) => {
    const detail = `${field} (${from}) is to move or to be deleted, and the snapshot that snapshotBeforeChange takes would hold it.`;
    return { machine: spec.id, ...untouched('disk-in-snapshot', detail, remedy) };
  });
}

function taken({ spec, context, uuid }: Scene, name: string): Action {
  const mark: Mark = { owner: context.wanted.identity.owner, machine: spec.id, uuid, guard: 'begun' };
  const description = writeDescription('Taken before a change of the machine.', mark);
  return { kind: 'take-snapshot', name, memory: false, description };
}

function freeName(list: readonly HeldSnapshot[]): string {
  return `before-change-${Math.max(0, ...list.map(numberOf)) + 1}`;
}

function numberOf({ name }: Pick<HeldSnapshot, 'name'>): number {
  return Number(NAME.exec(name)?.[1] ?? 0);
}
