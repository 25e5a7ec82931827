import { descriptionOf, hasUuidOf } from './guest';
import type { Finding, Sought } from './sought';

/** Why `adopt: true` does not take over a guest that is there, and what to do. */
export function whyNotAdoptable(
  { listed, config }: Finding,
  { identity: { owner } }: Pick<Sought, 'identity'>,
): { why: string; remedy: string } {
  const { mark, isDamaged } = descriptionOf(config);
  if (listed.template || (mark === undefined && !isDamaged))
    return { why: 'it is a template', remedy: 'Give the vmid of a virtual machine that nobody owns.' };
  if (mark === undefined)
    return {
      why: 'the last line of its description is a mark that cannot be read',
      remedy: 'Restore that line; where it is to be adopted all the same, remove the line and its tag pvr-….',
    };
  if (mark.isUnfinished !== true && !hasUuidOf(mark, config))
    return {
      why: 'it was cloned by hand from that machine',
      remedy: 'Remove the last line of its description and its tag pvr-… first.',
    };
  if (mark.owner === owner)
    return {
      why: `it is machine ${mark.machine} of this owner already`,
      remedy: `Give this machine that id; or, where it was renamed, formerIds: [${JSON.stringify(mark.machine)}].`,
    };
  return {
    why: `it belongs to owner ${mark.owner}`,
    remedy: `Change it by the program of that owner; or, where all its machines are to be those of ${owner}, move them: pve-reconciler owner move.`,
  };
}
