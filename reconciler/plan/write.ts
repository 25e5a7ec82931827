import { type Action, type Change, writtenKeys } from '../action';
import { compare, type Comparison, type EffectOf } from '../machine/compare';
import { isCloudInit } from '../guest/drive';
import { isAlwaysLive, isCloudInitKey, isSlowKey, isVolumeKey } from '../guest/key-kinds';
import { effectIn } from '../machine/live-or-restart';
import { sayDeleted } from '../machine/leaving-volumes';
import { heldBack } from '../machine/problems/protection';
import type { Scene } from '../machine/scene';
import { hasUuid } from '../machine/parts/smbios';
import { wantsOf } from '../machine/parts/wants-of';
import { isMarkedTwice, writeDescription } from '../mark/description';
import { isOfKubernetes } from '../mark/kubernetes-source';
import { sameMark } from '../mark/mark';
import { bootWrite } from './boot-write';
import { markFor, type Remembered } from './mark-content';
import { sourceAtOnce } from './other-source';
import { isRestartedByUs } from './restart';
import type { ObservedGuest } from '../observed';

/** The one write of the configuration that a round makes, if any. */
export interface ConfigWrite {
  actions: Action[];
  changes: Change[];
  /** Keys that differ and that a later round writes; with `-` those that go. */
  later: string[];
  /** The guest runs with a cloud-init drive that lags behind its keys, or will after this write. */
  needsNewDrive: boolean;
}

/** What else the round does. */
export interface RestOfRound {
  /** Keys for a later round. */
  untouched: readonly string[];
  /** A restart follows that nobody would finish for us. */
  remembersRestart: boolean;
}

/** Everything that one write of the configuration can carry, the mark with it. */
export function configWrite(
  scene: Scene,
  guest: ObservedGuest,
  { untouched, remembersRestart }: RestOfRound,
): ConfigWrite {
  const effectOf = effectIn(scene, guest);
  const { whole, written, held, later } = comparedNow(scene, effectOf, untouched);
  const stays = (slot: string): boolean => held.includes(slot) || staysFor(slot, scene, effectOf);
  const isStale = needsNewDrive(scene, guest, written);
  const isStartedEarly =
    guest.mark?.isUnfinished === true &&
    guest.power === 'running' &&
    !hasUuid(scene.running.smbios1, scene.uuid);
  const isWritten = writtenKeys(written).length > 0;
  const boot = bootWrite(scene, guest, written, effectOf);
  const remembered = {
    stays,
    isStale,
    remembersRestart,
    isStartedEarly,
    forBoot: { nextBoot: boot.texts, keepsData: boot.keepsData },
  };
  const description = describe(scene, guest, remembered, isWritten);
  const set = { ...written.set, ...boot.set, ...description.set };
  const keys = [...Object.keys(set), ...written.delete];
  // all of them are announced, also those that a later round writes
  const changes = [...adoption(scene), ...sayDeleted(whole.changes, scene), ...description.changes];
  if (keys.length === 0) return { actions: [], changes, later, needsNewDrive: isStale };
  const slow = keys.some(guest.power === 'stopped' ? isVolumeKey : isSlowKey);
  // a guest that is off takes each value at once; a volume gets its name from Proxmox
  const isTaken = (key: string): boolean => guest.power === 'stopped' && !isVolumeKey(key);
  const verify = held.length > 0 || !keys.every(key => isAlwaysLive(key) || isTaken(key));
  const actions: Action[] = [{ kind: 'configure', set, delete: written.delete, slow, verify }];
  return { actions, changes, later, needsNewDrive: isStale };
}

/** All that differs, and what of it is written now: not what Proxmox would not delete yet, nor what is left for `later`. */
function comparedNow(
  scene: Scene,
  effectOf: EffectOf,
  untouched: readonly string[],
): { whole: Comparison; written: Comparison; held: string[]; later: string[] } {
  const wants = wantsOf(scene);
  const whole = compare(wants, scene.next, effectOf, scene.running);
  const held = heldBack(scene, whole.delete, key => effectOf(key, undefined) === 'live');
  const now = wants.filter(({ key }) => !held.includes(key) && !untouched.includes(key));
  const written = now.length === wants.length ? whole : compare(now, scene.next, effectOf, scene.running);
  const later = keysOf(whole).filter(key => !keysOf(written).includes(key));
  return { whole, written, held, later };
}

function keysOf({ set, delete: gone }: Pick<Comparison, 'set' | 'delete'>): string[] {
  return [...Object.keys(set), ...gone.map(key => `-${key}`)];
}

/**
 * PVE makes the cloud-init drive anew at each start; a guest that runs keeps the old one until it is told. Told it is where
 * this run does not restart it: then a reboot from inside, which Proxmox does not see, brings the new data too.
 */
function needsNewDrive(
  { spec }: Scene,
  { power, current, cloudInitStale }: ObservedGuest,
  { set, delete: gone }: Pick<Comparison, 'set' | 'delete'>,
): boolean {
  const keys = [...Object.keys(set), ...gone];
  const hasDrive = Object.entries(current).some(
    ([key, text]) => isCloudInit(text) && isCloudInit(set[key] ?? text),
  );
  const isChanged = !isRestartedByUs(spec, power) && keys.some(isCloudInitKey);
  return power !== 'stopped' && hasDrive && (cloudInitStale === true || isChanged);
}

/** A device that only leaves with the next start is remembered until then. */
function staysFor(slot: string, { next, running }: Scene, effectOf: EffectOf): boolean {
  if (next[slot] === undefined) return running[slot] !== undefined;
  return effectOf(slot, undefined) === 'restart';
}

function adoption({ origin, vmid }: Scene): Change[] {
  return origin === 'adopted' ? [{ field: 'adopt', from: undefined, to: `VM ${vmid}`, effect: 'live' }] : [];
}

interface Described {
  set: { description?: string };
  changes: Change[];
}

/**
 * The user's text and our mark, where either differs. Another source alone, and what waited for a boot that has come, are
 * no reason to write: that goes along with what is written anyway. But a Kubernetes says at once that it holds the guest,
 * and a daemon that it wants it. `isWritten`: something is.
 */
function describe(scene: Scene, guest: ObservedGuest, remembered: Remembered, isWritten: boolean): Described {
  const { spec } = scene;
  const cleared = spec.clear?.includes('description') === true;
  const text = spec.description ?? (cleared ? '' : guest.description);
  const mark = markFor(scene, remembered);
  const isSameText = text.trimEnd() === guest.description.trimEnd();
  const isTwice = isMarkedTwice(guest.current['description']);
  const source = isOfKubernetes(mark.source) ? mark.source : guest.mark?.source;
  if (
    isSameText &&
    !isTwice &&
    scene.origin !== 'adopted' &&
    sameMark(
      isWritten
        ? mark
        : { ...mark, source, nextBoot: guest.mark?.nextBoot, keepsData: guest.mark?.keepsData },
      guest.mark,
    )
  )
    return describeSource(scene, text, remembered);
  const change: Change = {
    field: 'description',
    from: shown(guest.description),
    to: shown(text),
    effect: 'live',
  };
  const once: Change = { field: 'mark', from: 'there more than once', to: 'there once', effect: 'live' };
  const changes = [...(isSameText ? [] : [change]), ...(isTwice ? [once] : [])];
  return { set: { description: writeDescription(text, mark) }, changes };
}

/** The mark where at most its source differs. */
function describeSource(scene: Scene, text: string, remembered: Remembered): Described {
  const sourceName = sourceAtOnce(scene);
  if (sourceName === undefined) return { set: {}, changes: [] };
  const { context, mark: before } = scene;
  const named = { ...scene, context: { ...context, wanted: { ...context.wanted, sourceName } } };
  const [from, to] = [before?.source, sourceName].map(name => `names source "${name}"`);
  const change: Change = { field: 'mark', from, to, effect: 'live' };
  return { set: { description: writeDescription(text, markFor(named, remembered)) }, changes: [change] };
}

function shown(text: string): string | undefined {
  return text.trimEnd() === '' ? undefined : text;
}
