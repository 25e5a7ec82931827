import { createHash } from 'node:crypto';
import type { Identity } from './identity';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** The tag that finds a machine's guest in one listing of the cluster, whatever node it moved to. */
export function ownerTag(owner: string, machine: string): string {
  const digest = createHash('sha256').update(`${owner}/${machine}`).digest();
  let tag = 'pvr-';
  // ten letters of five bits, from the top
  for (let bit = 0; bit < 50; bit += 5) {
    const two = digest.readUInt16BE(bit >> 3);
    tag += BASE32[(two >> (11 - (bit & 7))) & 31];
  }
  return tag;
}

/** Finds what carries the tag of a machine, by one of the ids that it has or had. */
export function isTaggedAs({ owner, ids }: Pick<Identity, 'owner' | 'ids'>) {
  const own = ids.map(id => ownerTag(owner, id));
  return ({ tags }: { tags: readonly string[] }): boolean => tags.some(tag => own.includes(tag));
}

/** Whether a tag is one of ours, of any owner. */
export function isOwnerTag(tag: string): boolean {
  return /^pvr-[a-z2-7]{10}$/.test(tag);
}

/** Proxmox takes `;`, `,` and blanks between tags. */
export function splitTags(text: string): string[] {
  return text.split(/[;,\s]+/).filter(tag => tag !== '');
}
