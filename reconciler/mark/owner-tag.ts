import { createHash } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** The tag that finds a machine's guest in one listing of the cluster, whatever node it moved to. */
export function ownerTag(owner: string, machine: string): string {
  const digest = createHash('sha256').update(`${owner}/${machine}`).digest();
  let bits = 0n;
  for (const byte of digest.subarray(0, 7)) bits = (bits << 8n) | BigInt(byte);
  // 56 bits: ten letters of five bits, from the top
  const letters = Array.from(
    { length: 10 },
    (_, index) => BASE32[Number((bits >> BigInt(51 - 5 * index)) & 31n)],
  );
  return `pvr-${letters.join('')}`;
}

/** Finds what carries the tag of a machine, by one of the ids that it has or had. */
export function isTaggedAs({
  owner,
  ids,
}: {
  owner: string;
  ids: readonly string[];
}): (guest: { tags: readonly string[] }) => boolean {
  const own = ids.map(id => ownerTag(owner, id));
  return ({ tags }) => tags.some(tag => own.includes(tag));
}

/** Whether a tag is one of ours, of any owner. */
export function isOwnerTag(tag: string): boolean {
  return /^pvr-[a-z2-7]{10}$/.test(tag);
}
