import { valueAt, type Difference, type Losses, type SnapshotStep } from '../../spec';
import { readJson } from '../input/read-json';
import type { SnapshotParts } from './plan/snapshot-parts';
import type { ReviewedMachine, ReviewedSnapshot, ReviewVerdict } from './review';
import type { StandingGuest } from './standing-guest';

interface Known {
  snapshots: readonly SnapshotParts[];
  guest: StandingGuest;
  difference: Difference;
}

/** What a plan does to the snapshots of a machine, those that go first. A guest that goes takes all that it has. */
export function snapshotSteps(
  { snapshots, guest, difference }: Known,
  verdict: ReviewVerdict,
): ReviewedSnapshot[] {
  // what was seen of them stands among its losses
  if (verdict === 'destroy')
    return snapshots
      .filter(one => isDeleted(one) && !isSeen(guest, one) && guest.seen !== 'absent')
      .map(deletion(guest));
  const own = FAILS.includes(verdict) ? [] : (difference.snapshots ?? []);
  const leaving = snapshots.filter(isDeleted).map(deletion(guest));
  const coming = FAILS.includes(verdict) ? [] : snapshots.filter(isTaken).map(taking);
  const all = [...own, ...leaving, ...coming];
  return ORDER.flatMap(does => all.filter(step => step.does === does));
}

const ORDER: readonly SnapshotStep['does'][] = ['delete', 'revert', 'take'];
/** The apply fails before it takes a snapshot of these. */
const FAILS: readonly ReviewVerdict[] = ['refused', 'unreached'];

/**
 * Terraform runs the destroy of the entry. What was seen of the guest does not count here: a plan with -target or
 * -refresh=false holds what was read before its last apply, which may have taken the snapshot.
 */
function isDeleted(parts: SnapshotParts): boolean {
  return (
    isLeaving(parts) && parts.entryChange.spared === undefined && at(parts.applied, 'onDestroy') !== 'keep'
  );
}

function isLeaving({ entryChange }: SnapshotParts): boolean {
  return entryChange.entry === 'gone' || entryChange.entry === 'replaced';
}

function isSeen({ losses }: StandingGuest, { name }: Pick<SnapshotParts, 'name'>): boolean {
  return losses?.snapshots.some(one => one.name === name) === true;
}

/** What is told of snapshots that go, and that nobody saw: whole sentences. */
export function unseenSnapshots(steps: readonly ReviewedSnapshot[], guest: StandingGuest): string[] {
  const names = steps
    .filter(step => step.does === 'delete' && step.byEntry && !isSeen(guest, step))
    .map(({ name }) => name);
  if (names.length === 0) return [];
  return [
    `${names.join(', ')}: not seen when Proxmox was last looked at. The plan deletes the registry entry, so what is there by then is deleted.`,
  ];
}

function deletion({ losses }: StandingGuest) {
  return ({ name }: SnapshotParts): ReviewedSnapshot => {
    const hasMemory = losses?.snapshots.some(one => one.name === name && one.memory) === true;
    return { does: 'delete', name, ...(hasMemory && { memory: true }), byEntry: true };
  };
}

/** Where the observer tells nothing, as before the apply, only a new entry says it; one that is replaced had it deleted. */
function isTaken({ revision, entryChange, does }: SnapshotParts): boolean {
  if (revision?.change.actions.includes('create') !== true) return false;
  const isAnew = entryChange.entry === 'replaced' && entryChange.spared === undefined;
  return does === undefined ? entryChange.entry === 'new' || isAnew : does === 'take' || isAnew;
}

function taking({ name, wanted }: SnapshotParts): ReviewedSnapshot {
  return { does: 'take', name, ...(at(wanted, 'includeMemory') === true && { memory: true }), byEntry: true };
}

function at(text: unknown, field: string): unknown {
  return typeof text === 'string' ? valueAt(readJson(text, 'a snapshot in the plan'), [field]) : undefined;
}

/** What a machine loses, with the snapshots that its steps delete. Undefined: nothing. */
export function withDeleted(
  losses: Losses | undefined,
  steps: readonly ReviewedSnapshot[],
): Losses | undefined {
  const named = losses?.snapshots.map(({ name }) => name) ?? [];
  const more = steps.filter(({ does, name }) => does === 'delete' && !named.includes(name));
  if (more.length === 0) return losses;
  const snapshots = more.map(({ name, memory }) => ({ name, ...(memory && { memory }) }));
  return {
    ...losses,
    volumes: losses?.volumes ?? [],
    snapshots: [...(losses?.snapshots ?? []), ...snapshots],
  };
}

/** What apply does, in words: what is deleted first, as it cannot be undone, and what Terraform's own entries take last. */
export function doesWith(does: readonly string[], steps: readonly ReviewedSnapshot[]): string[] {
  const gone = steps.filter(step => step.does === 'delete').map(text);
  const taken = steps.filter(step => step.does === 'take' && step.byEntry).map(text);
  return [...gone, ...does.filter(line => !gone.includes(line)), ...taken];
}

/** As the observer says it of those that the machine's own plan takes and deletes. */
function text({ does, name, memory }: ReviewedSnapshot): string {
  if (does === 'delete') return `deleting snapshot ${name}`;
  return `taking snapshot ${name}${memory ? ' with its memory' : ''}`;
}

/** What still happens to the snapshots of a machine that the apply does not reach: their entries go before it fails. */
export function beforeUnreached({ snapshots }: ReviewedMachine): Pick<ReviewedMachine, Reached> {
  const gone = snapshots.filter(({ does, byEntry }) => does === 'delete' && byEntry);
  return { snapshots: gone, does: doesWith([], gone), losses: withDeleted(undefined, gone) };
}

type Reached = 'snapshots' | 'does' | 'losses';
