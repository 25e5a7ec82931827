import type { Objection } from '../../action';
import { RefusedError } from '../../errors';
import { findLost } from '../../run/reads/find-lost';
import type { Run } from '../../run/run';
import type { Identity } from '../../mark/identity';
import { NodeLists } from '../../observe/node-lists';
import { observeMachine } from '../../observe/machine';
import { ONLY_ONE } from '../../observe/refused-guest';
import type { ListedGuest, ObservedGuest } from '../../observed';
import { provenMark } from '../../observe/guest';
import { ifListed } from '../../observe/if-allowed';
import { readConfig } from '../../pve';

/** The guest of a machine that is to be destroyed: there, gone, or not held by the Terraform state that asks. */
export type Leaving =
  /** `wasSearched`: it was read among many others, and others after it. */
  | { kind: 'found'; guest: ObservedGuest; wasSearched: boolean }
  /** Nothing of ours is left. Guests that only have its name are nobody's, or another owner's. */
  | { kind: 'gone'; namesakes: Namesake[] }
  | { kind: 'not-ours'; detail: string };

/** A guest that has the name of a machine, and the owner and id that its mark proves. */
export interface Namesake {
  listed: ListedGuest;
  belongsTo?: { owner: string; machine: string };
}

/** Refusals that a wider search may still answer: the machine itself may be under another name. */
const SEARCHED_ON = ['other-entry', 'copy', 'tagged'];

/** Finds the guest of a machine by tag, mark and uuid. Reads only. Throws a refusal when it is not certain. */
export async function findLeaving(run: Run, identity: Identity): Promise<Leaving> {
  const machine = identity.ids[0];
  const sought = { identity, name: machine, vmid: undefined, adopt: false };
  const nodeLists = new NodeLists(run.pve, run.cluster);
  const have = await observeMachine(run.pve, run.cluster, sought, nodeLists);
  if (have.kind === 'present') return { kind: 'found', guest: have.guest, wasSearched: false };
  if (have.kind === 'refused' && !SEARCHED_ON.includes(have.why)) throw refusal(machine, have);
  const [guest, ...more] = await findLost(run, identity);
  if (guest && more.length > 0) throw refusal(machine, twoGuests([guest, ...more]));
  if (guest) {
    refuseAnother(guest, identity);
    return { kind: 'found', guest, wasSearched: true };
  }
  if (have.kind !== 'refused') return { kind: 'gone', namesakes: await namesakes(run, machine, nodeLists) };
  if (have.why === 'other-entry') return { kind: 'not-ours', detail: have.detail };
  throw refusal(machine, have);
}

/**
 * The entry of a machine may hold the guest of another one: somebody moved entries by hand from id to id. That one may
 * still be wanted, under its own id.
 */
function refuseAnother({ vmid, node, mark }: ObservedGuest, { ids, mayBeRenamed }: Identity): void {
  const [machine] = ids;
  if (mark === undefined || ids.includes(mark.machine) || mayBeRenamed === true) return;
  throw refusal(machine, {
    why: 'other-machine',
    detail: `the registry entry of ${machine} holds guest ${vmid} on ${node}, and that is machine ${mark.machine}.`,
    remedy: `Where ${machine} is its new id: apply that once, with ${mark.machine} in formerIds, then destroy. Else take the entry back to ${mark.machine} (terraform state mv, or remove the blocks moved), and plan again.`,
  });
}

/** Guests of this name that nothing proves ours. */
async function namesakes(run: Run, name: string, nodeLists: NodeLists): Promise<Namesake[]> {
  const containers = run.cluster.guests.filter(guest => guest.type === 'lxc');
  const named = [...(await nodeLists.find(name)), ...containers].filter(guest => guest.name === name);
  return Promise.all(named.map(listed => withOwner(run, listed)));
}

async function withOwner({ pve }: Run, listed: ListedGuest): Promise<Namesake> {
  if (listed.type === 'lxc') return { listed };
  // gone, moved or hidden since it was listed: its name is reported all the same
  const config = await ifListed(readConfig(pve, listed));
  const mark = config && provenMark(config);
  return mark ? { listed, belongsTo: { owner: mark.owner, machine: mark.machine } } : { listed };
}

function refusal(machine: string, { why, detail, remedy, changed = 'nothing' }: Objection): RefusedError {
  return new RefusedError([{ machine, why, detail, remedy, changed }]);
}

function twoGuests(guests: ObservedGuest[]): Objection {
  const named = guests.map(({ vmid, node }) => `guest ${vmid} on ${node}`).join(' and ');
  return {
    why: 'two-guests',
    detail: `${named} both prove to be this machine.`,
    remedy: ONLY_ONE,
  };
}
