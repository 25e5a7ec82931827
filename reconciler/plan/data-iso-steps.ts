import { type Action, type Change, startsGuest } from '../action';
import { readDrive } from '../guest/drive';
import { isoPlace, isosOf, wantedIso, wantsDataIso } from '../machine/wanted-data-iso';
import type { IsoFacts } from '../machine/facts';
import type { Scene } from '../machine/scene';
import type { ObservedGuest } from '../observed';

/** What a round does about ISOs of cloud-init data, beside the drive's own line. */
export interface IsoSteps {
  /** Before the write that names it. */
  uploads: Action[];
  /** After everything: of what nobody uses. */
  removals: Action[];
  changes: Change[];
  /** The guest is not to start yet: its data comes with a later round. */
  holdsStart: boolean;
}

export function isoSteps(scene: Scene, guest: ObservedGuest): IsoSteps {
  const isos = isosOf(scene);
  const wanted = wantedIso(scene);
  const isEmptied = wanted !== undefined && isFirstEmptied(scene);
  const there = isos?.files.find(({ volume, node }) => volume === wanted?.volume && node === isos.node);
  const isRight = there?.bytes === wanted?.image.length;
  const uploads: Action[] =
    wanted === undefined || isEmptied || isRight
      ? []
      : [
          {
            kind: 'upload-iso',
            node: guest.node,
            volume: wanted.volume,
            sha256: wanted.sha256,
            image: wanted.image.toString('base64'),
          },
        ];
  const isAttached = wanted !== undefined && attached(guest).includes(wanted.volume);
  return {
    uploads,
    removals: removals(isos, guest, wanted?.volume),
    changes: [
      ...(uploads.length > 0 && isAttached ? [missing(wanted.volume)] : []),
      ...(wanted === undefined ? comingIso(scene, guest) : []),
    ],
    holdsStart: wantsDataIso(scene) && (wanted === undefined || isEmptied),
  };
}

/** Proxmox's own drive is taken out in a round of its own; a clone was never started, and needs none. */
function isFirstEmptied({ next, slots, origin }: Scene): boolean {
  return origin !== 'cloned' && /[:/](?:vm-\d+-)?cloudinit/.test(readDrive(next[slots.cloudInit]).file);
}

/** ISOs of this machine that neither it nor anybody else uses. */
function removals(isos: IsoFacts | undefined, guest: ObservedGuest, wanted: string | undefined): Action[] {
  const files = isos?.files ?? [];
  const used = files.length === 0 ? [] : attached(guest);
  const loose = files.filter(
    ({ volume, users, place }) =>
      users.length === 0 && !(volume === wanted && isPlaceOf(place, isos?.node)) && !used.includes(volume),
  );
  return loose.map(({ node, volume }) => ({ kind: 'remove-iso', node, volume }));
}

function isPlaceOf(place: string, node: string | undefined): boolean {
  return !place.includes('@') || place.endsWith(`@${node}`);
}

function attached({ current, pending }: ObservedGuest): string[] {
  return Object.values({ ...current, ...pending })
    .concat(Object.values(current))
    .map(text => readDrive(text ?? '').file);
}

function missing(volume: string): Change {
  return { field: 'cloudInit', from: 'missing on its storage', to: volume, effect: 'live' };
}

/** What a creation does about the data, in words: which file it will be follows from the cards' MAC addresses. */
export function isoChange(scene: Scene): Change[] {
  return wantsDataIso(scene) ? [comingChange(scene, undefined)] : [];
}

/** The same for a guest that is there: a later round brings the ISO, and what that costs is to be told before. */
function comingIso(scene: Scene, { power }: ObservedGuest): Change[] {
  if (!wantsDataIso(scene)) return [];
  const there = readDrive(scene.next[scene.slots.cloudInit] ?? '').file;
  const effect = power === 'running' ? 'restart' : 'live';
  return [{ ...comingChange(scene, there === '' ? undefined : there), effect }];
}

function comingChange(scene: Scene, from: string | undefined): Change {
  const place = isoPlace(scene);
  const where = place === undefined ? '' : ` on ${place.storage}`;
  return { field: 'cloudInit', from, to: `an ISO with its data${where}`, effect: 'live' };
}

/** The actions of a round: a guest whose data comes with a later round does not start in this one. */
export function withData({ holdsStart }: IsoSteps, actions: Action[]): Action[] {
  if (!holdsStart) return actions;
  return actions
    .filter(action => !startsGuest(action))
    .map(action => (action.kind === 'configure' ? { ...action, verify: true } : action));
}
