import type { Action, Change } from '../action';
import { compare, type Comparison, type CostOf } from '../machine/compare';
import { isCloudInit } from '../guest/drive';
import { isCloudInitKey, isSlowKey, isVolumeKey } from '../guest/key-kinds';
import { isAlwaysLive } from '../machine/effect';
import { sayDeleted, stillLeaving } from '../machine/leaving-volumes';
import { heldBack } from '../machine/problems/protection';
import { sceneOf, type Scene } from '../machine/scene';
import { hasUuid } from '../machine/parts/smbios';
import { wantsOf } from '../machine/parts/wants-of';
import { isMarkedTwice, readDescription, writeDescription } from '../mark/mark-line';
import { isOfKubernetes } from '../mark/kubernetes-source';
import { sameMark } from '../mark/mark';
import { bootWrite, costIn } from './boot-write';
import { markFor, type Remembered } from './mark-content';
import { powerWanted } from './power-actions';
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

interface Around {
  /** Keys for a later round. */
  untouched: readonly string[];
  /** A restart follows that nobody would finish for us. */
  restarts: boolean;
}

/** Everything that one write of the configuration can carry, the mark with it. */
export function configWrite(
  scene: Scene,
  guest: ObservedGuest,
  { untouched, restarts }: Around,
): ConfigWrite {
  const costOf = costIn(scene, guest);
  const wants = wantsOf(scene);
  // all of them are announced, also those that a later round writes
  const whole = compare(wants, scene.next, costOf, scene.running);
  const held = heldBack(scene, whole.delete, key => costOf(key, undefined) === 'live');
  const now = wants.filter(({ key }) => !held.includes(key) && !untouched.includes(key));
  const written = now.length === wants.length ? whole : compare(now, scene.next, costOf, scene.running);
  const stays = (slot: string): boolean => held.includes(slot) || staysFor(slot, scene, costOf);
  const isStale = needsNewDrive(scene, guest, written);
  const isStartedEarly =
    guest.mark?.isUnfinished === true &&
    guest.power === 'running' &&
    !hasUuid(scene.running.smbios1, scene.uuid);
  const isWritten = [...Object.keys(written.set), ...written.delete].length > 0;
  const boot = bootWrite(scene, guest, written, costOf);
  const remembered = { stays, isStale, restarts, isStartedEarly, forBoot: boot.texts };
  const description = describe(scene, guest, remembered, isWritten);
  const set = { ...written.set, ...boot.set, ...description.set };
  const keys = [...Object.keys(set), ...written.delete];
  const changes = [...adoption(scene), ...sayDeleted(whole.changes, scene), ...description.changes];
  const later = keysOf(whole).filter(key => !keysOf(written).includes(key));
  if (keys.length === 0) return { actions: [], changes, later, needsNewDrive: isStale };
  const slow = keys.some(guest.power === 'stopped' ? isVolumeKey : isSlowKey);
  // a guest that is off takes each value at once; a volume gets its name from Proxmox
  const isTaken = (key: string): boolean => guest.power === 'stopped' && !isVolumeKey(key);
  const verify = held.length > 0 || !keys.every(key => isAlwaysLive(key) || isTaken(key));
  const actions: Action[] = [{ kind: 'configure', set, delete: written.delete, slow, verify }];
  return { actions, changes, later, needsNewDrive: isStale };
}

function keysOf({ set, delete: gone }: Pick<Comparison, 'set' | 'delete'>): string[] {
  return [...Object.keys(set), ...gone.map(key => `-${key}`)];
}

/**
 * The description that a restart makes true, where nothing else is to be written then: with the mark of devices that are
 * gone. Written after the start it would meet PVE's own clean-up, which has the lock for 30 s (behaviour.md §16.2).
 */
export function descriptionOnceOff(
  scene: Scene,
  guest: ObservedGuest,
  { actions }: Pick<ConfigWrite, 'actions'>,
  around: Around,
): string | undefined {
  // A write follows the start anyway: of whom we started, or of a detached volume, whose new key only a reading tells
  if (scene.origin !== 'kept' || around.restarts || stillLeaving(scene) !== undefined) return undefined;
  const [first] = actions;
  const before = first?.kind === 'configure' ? first.set['description'] : undefined;
  const { text, mark } = readDescription(before ?? scene.running['description'] ?? '');
  if (mark === undefined) return undefined;
  const runs = { ...guest, description: text, mark, cloudInitStale: mark.isDriveOld === true };
  const off: ObservedGuest = { ...runs, current: scene.next, pending: {}, power: 'stopped' };
  const [then] = configWrite(sceneOf(scene.spec, off, 'kept', scene.context), off, around).actions;
  if (then?.kind !== 'configure' || then.delete.length > 0) return undefined;
  return Object.keys(then.set).join() === 'description' ? then.set['description'] : undefined;
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
  const restarts = power === 'running' && spec.restart === 'whenNeeded' && powerWanted(spec) !== 'stopped';
  const isChanged = !restarts && keys.some(isCloudInitKey);
  return power !== 'stopped' && hasDrive && (cloudInitStale === true || isChanged);
}

/** A device that only leaves with the next start is remembered until then. */
function staysFor(slot: string, { next, running }: Scene, costOf: CostOf): boolean {
  if (next[slot] === undefined) return running[slot] !== undefined;
  return costOf(slot, undefined) === 'restart';
}

function adoption({ origin, vmid }: Scene): Change[] {
  return origin === 'adopted' ? [{ field: 'adopt', from: undefined, to: `VM ${vmid}`, effect: 'live' }] : [];
}

/**
 * The user's text and our mark, where either differs. Another source alone, and what waited for a boot that has come, are
 * no reason to write: that goes along with what is written anyway. But a Kubernetes says at once that it holds the guest.
 * `isWritten`: something is.
 */
function describe(scene: Scene, guest: ObservedGuest, remembered: Remembered, isWritten: boolean) {
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
    sameMark(isWritten ? mark : { ...mark, source, nextBoot: guest.mark?.nextBoot }, guest.mark)
  )
    return { set: {}, changes: [] };
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

function shown(text: string): string | undefined {
  return text.trimEnd() === '' ? undefined : text;
}
