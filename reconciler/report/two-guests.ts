import { ownerTag } from '../mark/owner-tag';
import { oneLine } from './visible';

interface Guest {
  vmid: number;
  node: string;
}

/** A guest whose mark names a machine, with the tag that it has in place of the machine's, and the guest at work. */
interface TwoGuests extends Guest {
  owner: string;
  machine: string;
  tag: string;
  other: Guest;
}

/** Which two guests are one machine, and which of them runs work on. */
export function doubleText({ owner, machine, vmid, node, other }: TwoGuests): string {
  return oneLine(
    `two guests are machine ${machine} of ${owner}: VM ${other.vmid} on ${other.node} has its tag, and runs work on that one. The mark of VM ${vmid} on ${node} names it too: that guest is left as it is.`,
  );
}

/** No command of ours is in it: each finds a machine by its tag, and would act on the guest that is at work. */
export function doubleRemedy({ owner, machine, vmid, node, tag, other }: TwoGuests): string {
  const looks = [other, { vmid, node }].map(each => `qm config ${each.vmid} on ${each.node}`).join(', ');
  return oneLine(
    `Look at both (${looks}), and decide which one it is. If it is VM ${vmid}, first give it the tag ${ownerTag(owner, machine)} in place of ${tag}: from then on runs refuse both, and change neither. Then take from the wrong one its tag pvr-… and, in its notes, the line that begins with <!-- pvr:. That makes it a guest of nobody: shut it down, and remove it by hand only when you are sure that nobody needs it. Use no command of pve-reconciler on ${machine} for this: it would act on VM ${other.vmid}. Running again is safe.`,
  );
}
