import { ALWAYS, MARK_LIMIT, type DiskSpec, type MachineSpec } from '../../spec';
import { generationOf } from '../guest/generation';
import { imageWords } from '../mark/image-words';
import { lastWanted, mayBeMadeAnew } from '../mark/last-wanted';
import { readDrive } from '../guest/drive';
import { isRemembered, isSharedPlace, rememberedAs } from '../machine/data-iso/data-iso-name';
import { holdsOurData, isoPlace, isosOf, wantedIso, wantsDataIso } from '../machine/wanted-data-iso';
import { goesWithVolume, stillLeaving } from '../machine/leaving-volumes';
import { rememberedVolumes } from '../machine/remembered-volumes';
import { ranBefore } from './power-actions';
import { needsPassword, passwordVersionOf } from '../machine/parts/cloud-init/cloud-init';
import type { Scene } from '../machine/scene';
import { markToJson, type Mark } from '../mark/mark';

/** What a mark remembers besides what the scene tells. */
export interface Remembered {
  /** Devices that leave with a later write or a restart. */
  stays: (slot: string) => boolean;
  /** The cloud-init drive is to be made anew. */
  isStale: boolean;
  /** The guest ran, its power is nobody's, and this run has yet to start it. */
  remembersRestart: boolean;
  /** Somebody started it before its first configuration: our uuid is in effect from its next start on. */
  isStartedEarly: boolean;
  /** What waits for the next boot. */
  forBoot: Pick<Mark, 'nextBoot' | 'keepsData'>;
}

/** What the mark of a guest must say once the plan for this scene is carried out. */
export function markFor(scene: Scene, remembered: Partial<Remembered> = {}): Mark {
  const { stays = () => false, isStale, remembersRestart, isStartedEarly, forBoot } = remembered;
  const { spec, context, mark: before, slots } = scene;
  const sent = needsPassword(scene) && context.wanted.secrets.password !== undefined;
  const now = generationOf(scene.running);
  // what was begun and is not wanted any more was not done
  const isBegun = before?.revertedFrom !== undefined && before.revertedFrom === now;
  return fitting({
    owner: context.wanted.identity.owner,
    machine: spec.id,
    uuid: scene.uuid,
    isUnfinished: isStartedEarly ? true : undefined,
    isDriveOld: isStale ? true : undefined,
    isRestarting: remembersRestart ? true : undefined,
    source: context.wanted.sourceName ?? before?.source,
    entry: context.wanted.identity.entry ?? before?.entry,
    token: context.wanted.token ?? before?.token,
    disks: spec.disks ? { ...slots.disks, ...staying(slots.goneDisks, stays) } : before?.disks,
    diskGenerations: slotGenerations(scene),
    networks: spec.networks ? { ...slots.networks, ...staying(slots.goneNetworks, stays) } : before?.networks,
    passwordGeneration:
      passwordVersionOf(spec) === undefined ? undefined : sent ? now : (before?.passwordGeneration ?? now),
    passwordVersion: sent ? passwordVersionOf(spec) : before?.passwordVersion,
    revertedTo: scene.origin === 'blank' ? spec.revertTo : isBegun ? undefined : before?.revertedTo,
    image: before?.image ?? (isForgotten(scene) ? undefined : imageWords(spec.image)),
    deletedWithSpec: spec.disks
      ? deletedWithDisk(spec.disks, stillThere(scene, stays))
      : before?.deletedWithSpec,
    destroyTimeout: destroyTime(spec),
    ...isoMark(scene),
    becomesTemplate: spec.asTemplate === true ? true : undefined,
    addresses: before?.addresses,
    takesKeptVolumes: spec.keptVolumes === 'destroy' ? true : undefined,
    volumesToDelete: stillLeaving(scene),
    ...forBoot,
    ...rememberedVolumes(scene, stillThere(scene, stays)),
    lastWanted: lastWanted(spec),
    lastGeneration: lastGeneration(spec, before, now),
    more: before?.more,
  });
}

/**
 * A description has room for so much. Without these words a mark is like one of an earlier version: less is certain then, so
 * that less is done.
 */
function fitting(mark: Mark): Mark {
  const isLong = (one: Mark): boolean => markToJson(one).length > MARK_LIMIT;
  if (!isLong(mark)) return mark;
  // by the generation fewer volumes are deleted, not more
  const shorter = { ...mark, volumes: undefined };
  return isLong(shorter) ? { ...shorter, lastWanted: undefined } : shorter;
}

/** A spec that allows no rebuild any more is no reason to write: what is still true stays, and anything else is forgotten. */
function lastGeneration(spec: MachineSpec, before: Mark | undefined, now: string | undefined) {
  const known = before?.lastGeneration;
  if (mayBeMadeAnew(spec)) return now ?? known;
  return known === now ? known : undefined;
}

/** A mark that does not say what its machine was made from learns it of no spec whose image may be a newer one. */
function isForgotten({ spec, origin }: Scene): boolean {
  return origin === 'kept' && spec.onImageChange === 'keep';
}

/** The mark that a clone is sent with: it finds the unfinished creation, and knows no devices yet. */
export function createMark(
  scene: Pick<Scene, 'spec' | 'context' | 'uuid' | 'mark' | 'node' | 'place'>,
): Mark {
  const { spec, context, uuid, place } = scene;
  // what is new is as it is to be: there is nothing to go back to
  const { identity, sourceName: source, token } = context.wanted;
  return {
    owner: identity.owner,
    machine: spec.id,
    uuid,
    isUnfinished: true,
    isRestarting: ranBefore(spec, context.done.wasRunning),
    targetNode: place?.destination,
    source,
    entry: identity.entry,
    token,
    revertedTo: spec.revertTo,
    image: imageWords(spec.image),
    destroyTimeout: destroyTime(spec),
    dataIsoPlaces: isoPlaces(scene),
    becomesTemplate: spec.asTemplate === true ? true : undefined,
    takesKeptVolumes: spec.keptVolumes === 'destroy' ? true : undefined,
  };
}

function destroyTime({ timeouts }: MachineSpec): string | undefined {
  return timeouts?.destroy === ALWAYS.timeouts.destroy ? undefined : timeouts?.destroy;
}

function staying(gone: Record<string, string>, stays: (slot: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(gone).filter(([, slot]) => stays(slot)));
}

function deletedWithDisk(disks: readonly DiskSpec[], left: readonly string[]): string[] | undefined {
  const names = disks.filter(({ onRemove }) => onRemove === 'delete').map(({ name }) => name);
  const all = [...names, ...left];
  return all.length === 0 ? undefined : all.sort();
}

/** The disks that have left the spec, go with their volumes, and have their slot until a later write or a restart. */
function stillThere(scene: Scene, stays: (slot: string) => boolean): string[] {
  return Object.keys(staying(scene.slots.goneDisks, stays)).filter(name => goesWithVolume(name, scene));
}

/** What the mark remembers of the ISO with cloud-init data: its slot, and where ISOs may be. */
function isoMark(scene: Scene): Pick<Mark, 'dataIsoSlot' | 'dataIsoPlaces' | 'dataIsos'> {
  const { slots, next } = scene;
  const isThere = wantsDataIso(scene) || holdsOurData(next[slots.cloudInit], scene);
  const places = isoPlaces(scene);
  return {
    dataIsoSlot: isThere ? slots.cloudInit : undefined,
    dataIsoPlaces: places,
    dataIsos: places?.some(isSharedPlace) ? rememberedIsos(scene) : undefined,
  };
}

/** Those that a write puts into the drive or takes out, and those before them that are still there. Else nothing changes. */
function rememberedIsos(scene: Scene): string[] | undefined {
  const { mark, next, slots } = scene;
  const there = readDrive(next[slots.cloudInit]).file;
  const wanted = wantedIso(scene)?.volume;
  const before = mark?.dataIsos;
  if (there === wanted || (wanted === undefined && wantsDataIso(scene))) return before;
  const isos = isosOf(scene);
  // what could not be listed may still be there
  const kept = isos === undefined || isos.unread.length > 0 ? (before ?? []) : [];
  const listed = (isos?.files ?? []).filter(({ volume }) => isRemembered(mark, volume));
  const volumes = [...listed.map(({ volume }) => volume), there, ...(wanted ? [wanted] : [])];
  const sums = [...new Set([...kept, ...volumes.flatMap(volume => rememberedAs(volume) ?? [])])];
  return sums.length === 0 ? before : sums.sort();
}

/** A place is remembered before the first upload, and until nothing is left there: else nobody would find what is. */
function isoPlaces(scene: Pick<Scene, 'spec' | 'mark' | 'context' | 'node'>): string[] | undefined {
  const before = scene.mark?.dataIsoPlaces ?? [];
  const isos = isosOf(scene);
  const isLeft = (place: string): boolean =>
    isos === undefined || isos.unread.includes(place) || isos.files.some(file => file.place === place);
  const wanted = wantsDataIso(scene) ? isoPlace(scene) : undefined;
  const places = new Set([...before.filter(isLeft), ...(wanted ? [wanted.place] : [])]);
  return places.size === 0 ? undefined : [...places].sort();
}

/**
 * For each disk that came after the machine was made, the generation in which it was last known to be in its slot. Those
 * that a machine is made with need none: no snapshot is older than they are.
 */
function slotGenerations({ spec, slots, origin, mark, running }: Scene): Mark['diskGenerations'] {
  const now = generationOf(running);
  if (origin !== 'kept' || now === undefined || spec.disks === undefined) return mark?.diskGenerations;
  const came = Object.entries(slots.disks).filter(
    ([name, slot]) =>
      mark?.isUnfinished !== true &&
      (mark?.diskGenerations?.[name] !== undefined || mark?.disks?.[name] !== slot),
  );
  return came.length === 0 ? undefined : Object.fromEntries(came.map(([name]) => [name, now]));
}
