import { maySeeAllGuests, type ObservedCluster, type ObservedMachine, sightRemedy } from '../observed';
import { isIdTaken, type Pve } from '../pve';
import { ifThere } from './if-allowed';
import { guestWithId } from './tagged-guests';

type Refused = Extract<ObservedMachine, { kind: 'refused' }>;

/**
 * The refusal of a machine that is not found, and that was this guest when it was last seen, where Proxmox has that number
 * still, and lists none to the caller: most often it is there, and he may not see it any more. Undefined: it is gone, or the
 * spec gives another number.
 */
export async function refuseUnseen(
  pve: Pve,
  cluster: ObservedCluster,
  { seenAs, vmid }: { seenAs: number; vmid: number | undefined },
): Promise<Refused | undefined> {
  const isOther = vmid !== undefined && vmid !== seenAs;
  if (isOther || maySeeAllGuests(cluster) || guestWithId(cluster.guests, seenAs) !== undefined)
    return undefined;
  if ((await ifThere(isIdTaken(pve, seenAs))) !== true) return undefined;
  const detail = `it was VM ${seenAs} when it was last seen. Proxmox still has a guest with that number, and does not show it to this user. No second machine is made while it may be that one.`;
  const remedy = `${sightRemedy(cluster)} Where VM ${seenAs} is another guest by now, give this machine another vmid. Then run again; not before, as a new plan of Terraform does not know VM ${seenAs}, and would make a second machine.`;
  return { kind: 'refused', why: 'unseen', detail, remedy, changed: 'nothing' };
}
