import { untouched, type Objection } from '../action';
import { sourceIds, type FleetMachine } from '../../spec';
import type { ListedGuest } from '../observed';
import { ownerTag } from '../mark/owner-tag';

type FoundSource = { guests: ListedGuest[] } | Objection;

/** The guests that an image names: one, or its replicas on several nodes. None for images that are no guest. */
export function sourceCandidates(
  { image }: Pick<FleetMachine, 'image'>,
  guests: readonly ListedGuest[],
  owner: string,
): FoundSource {
  const ids = sourceIds(image);
  if (ids.length > 0) return machinesOf(ids, guests, owner);
  const wanted = image?.template;
  if (wanted === undefined) return { guests: [] };
  const matches = guests.filter(guest => guest.type === 'qemu' && names(guest, wanted));
  const known = typeof wanted === 'object' ? `tag ${wanted.tag}` : String(wanted);
  if (matches.length === 0) return missing(known, guests);
  const nodes = matches.map(({ node }) => node);
  const twice = nodes.find((node, index) => nodes.indexOf(node) !== index);
  return twice === undefined ? { guests: matches } : ambiguous(`template '${known}'`, matches);
}

/** Machines of the same owner, of which one must be there already: each is as good as the others. */
function machinesOf(ids: readonly string[], guests: readonly ListedGuest[], owner: string): FoundSource {
  const found = ids.map(id => machineOf(id, guests, owner));
  const there = found.flatMap(one => ('guests' in one ? one.guests : []));
  const wrong = found.find(one => 'why' in one && (one.why !== NOT_THERE_YET || there.length === 0));
  return wrong ?? { guests: there };
}

/** A machine of the same owner, which must be there already. */
function machineOf(id: string, guests: readonly ListedGuest[], owner: string): FoundSource {
  const tagged = taggedAs(id, guests, owner);
  // a clone has the tags of its source, and a name of its own, until its first configuration
  const named = tagged.filter(({ name }) => name === id);
  const matches = named.length === 1 ? named : tagged;
  if (matches.length > 1) return ambiguous(`machine '${id}'`, matches);
  if (matches.length === 1) return { guests: matches };
  return untouched(NOT_THERE_YET, `machine '${id}', which it is cloned from`, 'Run again when it is there.');
}

/** What carries the tag of a machine: itself, and each clone of it until its first configuration. */
export function taggedAs(id: string, guests: readonly ListedGuest[], owner: string): ListedGuest[] {
  const tag = ownerTag(owner, id);
  return guests.filter(guest => guest.type === 'qemu' && guest.tags.includes(tag));
}

/** Why there is no source: more than one fits. */
export const AMBIGUOUS = 'ambiguous-template';

/** Why there is no source: it is a machine that somebody may be about to make. The detail names it. */
export const NOT_THERE_YET = 'source-not-there-yet';

/** What a clone is told of a machine that nobody makes. */
export function neverThere(id: string, mode: string): Objection {
  const detail = `machine '${id}', which is to be cloned, is not there, and with mode: ${mode} nobody makes it.`;
  return untouched('no-template', detail, `Set mode of '${id}' to "reconcile", or name another image.`);
}

/** A machine that is still to be made has no snapshots. */
export function noSnapshotYet(id: string, snapshot: string): Objection {
  const detail = `machine '${id}', which is to be cloned, is not there yet, so it has no snapshot '${snapshot}'.`;
  const remedy = 'Make it and its snapshot first, or remove image.snapshot.';
  return untouched('snapshot-not-found', detail, remedy);
}

function ambiguous(what: string, matches: ListedGuest[]): Objection {
  const candidates = matches.map(({ vmid, node }) => `${vmid} on ${node}`).join(', ');
  return untouched(AMBIGUOUS, `${what} is ambiguous: ${candidates}.`, 'Give its vmid.');
}

type Template = NonNullable<NonNullable<FleetMachine['image']>['template']>;

function names(guest: ListedGuest, wanted: Template): boolean {
  if (typeof wanted === 'number') return guest.vmid === wanted;
  if (typeof wanted === 'string') return guest.template && guest.name === wanted;
  return guest.template && guest.tags.includes(wanted.tag);
}

function missing(known: string, guests: readonly ListedGuest[]): Objection {
  const templates = guests.filter(({ template }) => template);
  const there = templates.map(({ name, vmid, node }) => `${name ?? '?'} (${vmid} on ${node})`).join(', ');
  const other = guests.find(({ name, vmid }) => name === known || String(vmid) === known);
  if (other?.type === 'lxc') return noTemplate(known, other, 'a container', 'Name a template.');
  if (other) return noTemplate(known, other, 'no template', `Name one, or copy it by its id: ${other.vmid}.`);
  const detail = `template '${known}' not found. The cluster has: ${there || 'no template that you may see'}.`;
  return untouched('no-template', detail, 'Name one of them, or grant VM.Audit on the one you mean.');
}

function noTemplate(known: string, { vmid, node }: ListedGuest, what: string, remedy: string): Objection {
  const detail = `template '${known}' not found: VM ${vmid} on ${node}, which is called so, is ${what}.`;
  return untouched('no-template', detail, remedy);
}

// PVE gives this to a guest that says nothing (schema of POST /nodes/{node}/qemu, memory)
const MEMORY = 512 * 2 ** 20;

/** The machine with the memory that it will have where its spec says none: that of its source. */
export function withMemory(machine: FleetMachine, [source]: readonly ListedGuest[]): FleetMachine {
  if (machine.memory !== undefined) return machine;
  return { ...machine, memory: source?.memory || MEMORY };
}
