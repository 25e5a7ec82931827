import type { Marked } from '../adopt/move-owner';
import { isOwnerTag } from '../mark/owner-tag';
import { provenMark } from '../observe/guest';
import { ifListed } from '../observe/if-allowed';
import { moveCommand } from '../observe/refused-guest';
import { readConfig } from '../pve';
import type { Run } from '../run/run';
import type { Removal } from './sources/desired-source';

/** The guest of a machine that was made under another owner. Undefined: none is seen. */
export async function guestOfOtherOwner(
  { pve, cluster }: Run,
  { owner, ids, wasMade }: Removal,
): Promise<Marked | undefined> {
  // by its mark alone: its name may be another one than its id
  const guests = cluster.guests.filter(
    ({ type, template, tags }) => type === 'qemu' && (!template || tags.some(isOwnerTag)),
  );
  for (const listed of guests) {
    const config = await ifListed(readConfig(pve, listed));
    const mark = config && provenMark(config);
    if (mark === undefined || mark.owner === owner || !ids.includes(mark.machine)) continue;
    if (wasMade({ vmid: listed.vmid, mark })) return { listed, mark };
  }
  return undefined;
}

export function otherOwnerText({ listed, mark }: Marked, owner: string): string {
  const move = mark.entry === undefined ? `, or move it: ${moveCommand(mark, owner)}` : '';
  return `VM ${listed.vmid} on ${listed.node} is not destroyed: it is machine ${mark.machine} of owner "${mark.owner}", and here the owner is "${owner}". Start the daemon with the --owner that it had${move}. Or, to leave the guest as it is: set deletionPolicy to Retain.`;
}
