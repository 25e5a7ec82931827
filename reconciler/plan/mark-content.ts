import { ALWAYS, type DiskSpec, type MachineSpec } from '../../spec';
import { generationOf } from '../guest/generation';
import { imageWords } from '../mark/image-words';
import { holdsOurData, isoPlace, isosOf, wantsDataIso } from '../machine/wanted-data-iso';
import { stillLeaving } from '../machine/leaving-volumes';
import { ranBefore } from './power-actions';
import { needsPassword, passwordVersionOf } from '../machine/parts/cloud-init/cloud-init';
import type { Scene } from '../machine/scene';
import type { Mark } from '../mark/mark';

/** What a mark remembers besides what the scene tells. */
export interface Remembered {
  /** Devices that leave with a later write or a restart. */
  stays: (slot: string) => boolean;
  /** The cloud-init drive is to be made anew. */
  isStale: boolean;
  /** The guest ran, its power is nobody's, and this run has yet to start it. */
  restarts: boolean;
  /** Somebody started it before its first configuration: our uuid is in effect from its next start on. */
  isStartedEarly: boolean;
  /** What waits for the next boot. */
  forBoot: Mark['nb'];
}

/** What the mark of a guest must say once the plan for this scene is carried out. */
export function markFor(scene: Scene, remembered: Partial<Remembered> = {}): Mark {
  const { stays = () => false, isStale, restarts, isStartedEarly, forBoot } = remembered;
  const { spec, context, mark: before, slots } = scene;
  const sent = needsPassword(scene) && context.asked.secrets.password !== undefined;
  const now = generationOf(scene.current);
  // what was begun and is not wanted any more was not done
  const isBegun = before?.q !== undefined && before.q === now;
  return {
    v: 1,
    o: context.asked.identity.owner,
    m: spec.id,
    u: scene.uuid,
    b: isStartedEarly ? 1 : undefined,
    c: isStale ? 1 : undefined,
    s: restarts ? 1 : undefined,
    so: context.asked.sourceName ?? before?.so,
    e: context.asked.identity.entry ?? before?.e,
    t: context.asked.token ?? before?.t,
    d: spec.disks ? { ...slots.disks, ...staying(slots.goneDisks, stays) } : before?.d,
    dg: slotGenerations(scene),
    n: spec.networks ? { ...slots.networks, ...staying(slots.goneNetworks, stays) } : before?.n,
    h: passwordVersionOf(spec) === undefined ? undefined : sent ? now : (before?.h ?? now),
    p: sent ? passwordVersionOf(spec) : before?.p,
    r: scene.origin === 'blank' ? spec.revertTo : isBegun ? undefined : before?.r,
    i: before?.i ?? (isForgotten(scene) ? undefined : imageWords(spec.image)),
    x: spec.disks ? deletedWithDisk(spec.disks) : before?.x,
    l: destroyTime(spec),
    ...isoMark(scene),
    a: spec.asTemplate === true ? 1 : undefined,
    ip: before?.ip,
    kv: spec.keptVolumes === 'destroy' ? 1 : undefined,
    g: stillLeaving(scene),
    nb: forBoot,
    more: before?.more,
  };
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
  const { revertTo: r } = spec;
  const { identity, sourceName: so, token: t } = context.asked;
  const { owner: o, entry: e } = identity;
  const w = place?.destination;
  const s = ranBefore(spec, context.done.wasRunning);
  const a = spec.asTemplate === true ? 1 : undefined;
  return {
    v: 1,
    o,
    m: spec.id,
    u: uuid,
    b: 1,
    s,
    w,
    so,
    e,
    t,
    r,
    i: imageWords(spec.image),
    l: destroyTime(spec),
    f: isoPlaces(scene),
    a,
    kv: spec.keptVolumes === 'destroy' ? 1 : undefined,
  };
}

function destroyTime({ timeouts }: MachineSpec): string | undefined {
  return timeouts?.destroy === ALWAYS.timeouts.destroy ? undefined : timeouts?.destroy;
}

function staying(gone: Record<string, string>, stays: (slot: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(gone).filter(([, slot]) => stays(slot)));
}

function deletedWithDisk(disks: readonly DiskSpec[]): string[] | undefined {
  const names = disks.filter(({ onRemove }) => onRemove === 'delete').map(({ name }) => name);
  return names.length === 0 ? undefined : names.sort();
}

/** What the mark remembers of the ISO with cloud-init data: its slot, and where ISOs may be. */
function isoMark(scene: Scene): Pick<Mark, 'j' | 'f'> {
  const { slots, config } = scene;
  const isThere = wantsDataIso(scene) || holdsOurData(config[slots.cloudInit], scene);
  return { j: isThere ? slots.cloudInit : undefined, f: isoPlaces(scene) };
}

/** A place is remembered before the first upload, and until nothing is left there: else nobody would find what is. */
function isoPlaces(scene: Pick<Scene, 'spec' | 'mark' | 'context' | 'node'>): string[] | undefined {
  const before = scene.mark?.f ?? [];
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
function slotGenerations({ spec, slots, origin, mark, current }: Scene): Mark['dg'] {
  const now = generationOf(current);
  if (origin !== 'kept' || now === undefined || spec.disks === undefined) return mark?.dg;
  const came = Object.entries(slots.disks).filter(
    ([name, slot]) => mark?.b !== 1 && (mark?.dg?.[name] !== undefined || mark?.d?.[name] !== slot),
  );
  return came.length === 0 ? undefined : Object.fromEntries(came.map(([name]) => [name, now]));
}
