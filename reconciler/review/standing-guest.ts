import { counted } from '../errors';
import { EVERY_OWNER, HeldGuests, type HeldGuest, type Losses } from '../../spec';
import { tokenOf } from '../plan/shown/token';
import { readJson } from '../input/read-json';
import type { MachineParts } from './plan/machine-parts';
import { ownerThen } from './plan/registry-entry';
import { triggersOf } from './plan/triggers-of';
import { asTold } from './observer-answer';
import type { SpecWords } from './spec-words';

/** The guest of a machine before a plan is applied, as far as the plan tells. */
export interface StandingGuest {
  node: string | undefined;
  vmid: string | undefined;
  /** Bytes by the name of the disk; undefined: not known. */
  disks: Readonly<Record<string, number>> | undefined;
  /** All that a destroy of it takes; undefined: not known. */
  losses: Losses | undefined;
  /** Why its destroy would be refused: a sentence. */
  stays: string | undefined;
  /** Of a template, the numbers of its linked clones. */
  clones: readonly number[];
  /** An image made the template: while it has linked clones, its destroy lets it go. */
  isOfImage: boolean;
  /** Another registry entry holds it, of another state or of one that was lost. */
  isOthers: boolean;
  /** Its mark names no registry entry: what made it is no Terraform, and the destroy of an entry leaves it alone. */
  isOfNone: boolean;
  /** The machine that it is, as its mark says: the entry may have been moved to another id. */
  machine?: string;
  /** The guest that the machine would have goes first, with the registry entry of its former id. */
  goesBefore?: boolean;
  /** The plan has the machine that it is as its mark says, too, under an id of its own. */
  isWanted?: boolean;
  /** `found`, `absent`, or why nobody looked. */
  seen: 'found' | 'absent' | { not: string };
}

const NOT_IN_PLAN =
  'nobody looked: the plan holds no reading of its cluster, as its instance of the module (for_each, count) has left the code, or the plan leaves that out (-target, -refresh=false). To see what goes, plan with the instance in the code and its machines empty, and without these options';
const ONLY_AT_APPLY =
  'nobody looked: its cluster is read only when the plan is applied, as the reading needs a value that only the apply gives';
const NOT_ASKED = 'the plan failed, and nothing in it proves that Proxmox was asked';
const BEFORE_LAST_APPLY =
  'what the plan holds may be from before its last apply, as the plan is not whole (it failed, or has -target)';
const SURELY_BEFORE = 'what the plan holds is from before its last apply (-destroy with -refresh=false)';
const BY_EARLIER =
  'nobody looked: the release that made the plan tells nothing of guests. Plan again with this one';

const forOther = (owner = ''): string =>
  `nobody looked: the plan reads the guests of another owner, and this one belongs to ${owner}`;

const NOBODY_LOOKED: Record<MachineParts['looks'], string> = {
  none: NOT_IN_PLAN,
  late: ONLY_AT_APPLY,
  failed: NOT_ASKED,
  done: BY_EARLIER,
};

/**
 * What the observers told of the guest that a registry entry holds: they tell of all guests of the owner, also of
 * machines that have left the code. Where nobody looked, the last apply knew its place. A plan that is partial
 * (`isWhole`; undefined: it does not tell) may hold an older look: it proves of no guest that it is absent.
 */
export function standingGuest(parts: MachineParts, isWhole: boolean | undefined): StandingGuest {
  const owner = ownerThen(parts.entry);
  // of a removed cluster the guests of all owners are told
  const ofOwner = parts.held.filter(
    held => owner === undefined || held.owner === owner || held.owner === EVERY_OWNER,
  );
  const told = ofOwner.map(({ text }) => readHeld(text));
  const entry = nameOf(parts.standing?.values ?? parts.entry?.change.before);
  const all = told.flatMap(({ guests }) => guests);
  const ours = all.find(held => held.entry !== undefined && held.entry === entry);
  if (ours) return found(ours, 'ours');
  const ofNone = all.find(held => held.entry === undefined && held.machine === parts.id);
  if (ofNone) return found(ofNone, entry === undefined ? 'ours' : 'none');
  const others = all.find(({ machine }) => machine === parts.id);
  if (others) return found(others, 'others');
  const nothing = {
    ...lastPlace(parts),
    disks: undefined,
    losses: undefined,
    stays: undefined,
    clones: [],
    isOfImage: false,
    isOthers: false,
    isOfNone: false,
  };
  const unread = Math.min(...told.map(one => one.unread));
  if (ofOwner.length < parts.held.length) return { ...nothing, seen: { not: forOther(owner) } };
  if (told.length === 0) return { ...nothing, seen: { not: NOBODY_LOOKED[parts.looks] } };
  // one that observes a single machine of many leaves the others to theirs, and tells none of them
  if (parts.answers?.isLate) return { ...nothing, seen: { not: ONLY_AT_APPLY } };
  if (unread > 0) {
    const guests = counted(unread, 'guest of the cluster was', 'guests of the cluster were');
    return { ...nothing, seen: { not: `${guests} not looked at` } };
  }
  const not = whyOld(parts, isWhole);
  return not === undefined ? { ...nothing, disks: {}, seen: 'absent' } : { ...nothing, seen: { not } };
}

/** Why the look that a plan holds is an older one, or may be. */
function whyOld({ id, answers, revision }: MachineParts, isWhole: boolean | undefined): string | undefined {
  const { result = {}, query } = answers ?? {};
  const applied = triggersOf('null_resource', revision?.change.before)?.['token'];
  // each look at a guest that is not there draws a new token: this one is what was applied
  if (result[`${id}.status`] === 'absent' && result[`${id}.token`] === applied) return SURELY_BEFORE;
  // where a plan does not tell, it is partial if it lacks the revision of a machine that was looked at
  const isPartial =
    isWhole === undefined ? revision === undefined && query?.[`spec.${id}`] !== undefined : !isWhole;
  return isPartial ? BEFORE_LAST_APPLY : undefined;
}

/** What names a registry entry to the reconciler: the uuid that was drawn for it, or the id of one from before those. */
function nameOf(entry: Readonly<Record<string, unknown>> | null | undefined): unknown {
  return (
    ['null_resource', 'terraform_data'].map(type => triggersOf(type, entry)?.['entry']).find(Boolean) ??
    entry?.['id']
  );
}

function found({ vmid, clones = [], ...held }: HeldGuest, holder: 'ours' | 'none' | 'others'): StandingGuest {
  const { node, disks, losses, stays, machine } = held;
  const isOfImage = held.isOfImage === true;
  const what = { node, vmid: String(vmid), disks, losses, stays, clones, isOfImage };
  const whose = { isOthers: holder === 'others', isOfNone: holder === 'none' };
  return { ...what, machine, ...whose, seen: 'found' };
}

/** Where the machine was when it was last applied, as its revision remembers. */
function lastPlace({ revision }: MachineParts): Pick<StandingGuest, 'node' | 'vmid'> {
  const token = triggersOf('null_resource', revision?.change.before)?.['token'];
  const { node, vmid } = tokenOf(typeof token === 'string' ? token : '');
  return { node, vmid: vmid === undefined ? undefined : String(vmid) };
}

/**
 * The machine whose guest a registry entry holds, as the mark of that guest says, where it is not the one of its id:
 * somebody moved entries from id to id. Undefined: it is that one. What a RemovedCluster destroys may have any id.
 */
export function anotherMachine(
  { id, held }: MachineParts,
  { machine }: Pick<StandingGuest, 'machine'>,
): string | undefined {
  const isOfRemoved = held.some(({ owner }) => owner === EVERY_OWNER);
  return machine === id || isOfRemoved ? undefined : machine;
}

/** The same of an entry that stays, where formerIds does not name that machine: a plan fails for it. */
export function leftBehind(
  parts: MachineParts,
  guest: StandingGuest,
  { formerIds }: Pick<SpecWords, 'formerIds'>,
): string | undefined {
  const another = parts.entryChange.entry === 'kept' ? anotherMachine(parts, guest) : undefined;
  return formerIds === undefined || formerIds.includes(another) ? undefined : another;
}

function readHeld(text: string): HeldGuests {
  const json = readJson(text, "what the plan's observer told of guests");
  return asTold(HeldGuests, json, 'what the plan tells of guests');
}
