import { ownerTag } from '../../mark/owner-tag';

const NAME = /:iso\/(pvr-[a-z2-7]{10})-(([0-9a-f]{6})[0-9a-f]{6})[0-9a-f]{8}\.iso$/;

/** The file that holds these bytes for a machine: its tag says whose it is, the checksum what is in it. */
export function dataIsoName(owner: string, machine: string, sha256: string): string {
  return `${ownerTag(owner, machine)}-${sha256.slice(0, 20)}.iso`;
}

/** Whether a volume is an ISO of cloud-init data that a reconciler made, for any machine. */
export function isDataIso(volume: string): boolean {
  return NAME.test(volume);
}

/** The tag of the machine that an ISO was made for. Undefined: it is no ISO of a reconciler. */
export function tagOfDataIso(volume: string): string | undefined {
  return NAME.exec(volume)?.[1];
}

/** A file of data in words: the storage, and enough of its checksum to tell it from another. Undefined: it is none. */
export function dataWords(volume: string): string | undefined {
  const [, , , short] = NAME.exec(volume) ?? [];
  return short === undefined ? undefined : `data ${short} on ${volume.split(':')[0] ?? ''}`;
}

/** Whether it was made for a machine that has one of these ids. */
export function isDataIsoOf(volume: string, owner: string, ids: readonly string[]): boolean {
  const tag = tagOfDataIso(volume);
  return tag !== undefined && ids.some(id => ownerTag(owner, id) === tag);
}

/** What a mark remembers of an ISO: the beginning of its checksum. Undefined: it is no ISO of a reconciler. */
export function rememberedAs(volume: string): string | undefined {
  return NAME.exec(volume)?.[2];
}

/** Whether a guest's mark remembers that this ISO was to be in its drive. */
export function isRemembered(mark: { dataIsos?: string[] | undefined } | undefined, volume: string): boolean {
  const sum = rememberedAs(volume);
  return sum !== undefined && mark?.dataIsos?.includes(sum) === true;
}

/** Whether a place of a mark is a storage that other nodes have too, and so perhaps another cluster. */
export function isSharedPlace(place: string): boolean {
  return !place.includes('@');
}
