import type { Run } from '../run';
import { evidenceOf } from '../../observe/guest';
import { namedAs } from '../../observe/tagged-guests';
import { verdictOn } from '../../mark/verdict';
import type { ListedGuest, ObservedMachine } from '../../observed';
import { isOwnerTag, ownerTag } from '../../mark/owner-tag';
import { ifSeen } from '../../observe/if-allowed';
import { readConfig } from '../../pve';
import type { Wanted } from '../wanted';

/**
 * Names what an interrupted create of a machine left beside it, with the command that removes it. Reads only: one
 * request for each guest that has the machine's name and no tag of ours but its own.
 */
export async function tellOfLeftovers(run: Run, wanted: Wanted, have: ObservedMachine): Promise<void> {
  if (have.kind !== 'present') return;
  const { guest } = have;
  const name = wanted.spec.name ?? wanted.spec.id;
  const namesakes = namedAs(run.cluster.guests, name).filter(
    each => each.vmid !== guest.vmid && each.lock === undefined && mayBeLeftOver(each, wanted),
  );
  for (const each of namesakes) {
    if (!(await isLeftOver(run, wanted, each))) continue;
    const place = `guest ${each.vmid} on ${each.node}`;
    const text = `${place} is left over from an unfinished create; the machine is guest ${guest.vmid} on ${guest.node}. When no other run is at work, remove it on ${each.node}: qm destroy ${each.vmid} --purge`;
    run.report({ kind: 'warning', machine: wanted.spec.id, text });
  }
}

/** A clone has no tag of ours before its first configuration; what is made from nothing has the machine's own at once. */
function mayBeLeftOver({ type, tags, template }: ListedGuest, { identity }: Wanted): boolean {
  const own = identity.ids.map(id => ownerTag(identity.owner, id));
  return type === 'qemu' && !template && !tags.some(tag => isOwnerTag(tag) && !own.includes(tag));
}

async function isLeftOver(run: Run, { identity }: Wanted, listed: ListedGuest): Promise<boolean> {
  const config = await ifSeen(readConfig(run.pve, listed));
  return config !== undefined && verdictOn(evidenceOf(config, identity), identity) === 'unfinished';
}
