import { RefusedError } from './errors';
import { findLost } from './find-lost';
import type { Fleet } from './fleet';
import type { Identity } from './identity';
import { NameIndex } from './name-index';
import { observeMachine } from './observe-machine';
import type { ListedGuest, ObservedGuest } from './observed';
import { PveError } from './pve';
import { maySeeGuests } from './sight';

/** The guest of a machine that is to be destroyed: there, gone, or held by another Terraform state. */
export type Doomed =
  { kind: 'found'; guest: ObservedGuest } | { kind: 'gone' } | { kind: 'not-ours'; detail: string };

/** Finds the guest of a machine by tag, mark and uuid. Reads only. Throws a refusal when it is not certain. */
export async function findDoomed(fleet: Fleet, identity: Identity): Promise<Doomed> {
  const machine = identity.ids[0] ?? '';
  const sought = { identity, name: machine, vmid: undefined, adopt: false };
  const names = new NameIndex(fleet.pve, fleet.cluster);
  const have = await observeMachine(fleet.pve, fleet.cluster, sought, names);
  if (have.kind === 'present') return { kind: 'found', guest: have.guest };
  if (have.kind === 'refused' && have.why !== 'other-entry')
    throw new RefusedError([{ machine, ...reasons(have) }]);
  const { ours, copies } = await findLost(fleet, identity);
  if (ours.length > 1) throw new RefusedError([twoGuests(machine, ours)]);
  const [guest] = ours;
  if (guest) return { kind: 'found', guest };
  if (have.kind === 'refused') return { kind: 'not-ours', detail: have.detail };
  if (copies.length > 0) throw new RefusedError([onlyCopies(machine, copies)]);
  if (!maySeeGuests(fleet.cluster)) throw cannotKnow();
  return { kind: 'gone' };
}

function reasons({ why, detail, remedy }: { why: string; detail: string; remedy: string }) {
  return { why, detail, remedy };
}

function twoGuests(machine: string, guests: ObservedGuest[]) {
  const named = guests.map(({ vmid, node }) => `guest ${vmid} on ${node}`).join(' and ');
  return {
    machine,
    why: 'two-guests',
    detail: `${named} both carry the mark of this machine.`,
    remedy:
      "Decide which one it is, and remove the last line of the other one's description. Nothing was changed.",
  };
}

function onlyCopies(machine: string, copies: ListedGuest[]) {
  const named = copies.map(({ vmid, name = '?', node }) => `guest ${vmid} (${name}) on ${node}`).join(', ');
  return {
    machine,
    why: 'copy',
    detail: `the machine is gone, and ${named} was cloned from it: it carries the mark with another uuid.`,
    remedy:
      'Remove the tag pvr-… from that guest if it is to stay, or delete it by hand. Nothing was changed.',
  };
}

function cannotKnow(): PveError {
  const text =
    'no guest can be seen, so it cannot be told whether the machine is gone; VM.Audit on /vms is missing';
  return new PveError('denied', { method: 'GET', path: '/cluster/resources', text });
}
