import type { ClusterView } from '../calls/cluster-view';
import { elsewhereName, entriesName, movedName, observedName, registryName } from './names';
import { nameIn } from './registry';

/**
 * The guests of the owner by the registry entry that each belongs to, as the shared observer reads them; and which of
 * those that the entry of a machine holds are another machine. Two locals: each is worked out once, for all.
 */
export function elsewhere({ name, members }: Pick<ClusterView, 'name' | 'members'>): Record<string, unknown> {
  const renamed = members.filter(({ formerIds }) => formerIds.length > 0);
  const former = JSON.stringify(Object.fromEntries(renamed.map(({ id, formerIds }) => [id, formerIds])));
  const told = `try(jsondecode(local.${observedName(name)}.guests).guests, [])`;
  const guests = `{ for guest in ${told} : guest.entry => guest... if can(guest.entry) }`;
  const ofEntry = `try(local.${elsewhereName(name)}[${nameIn('entry')}], [])`;
  const isAnother = `guest.machine != id && !contains(try(${former}[id], []), guest.machine)`;
  const place = '"VM ${guest.vmid} on ${guest.node}, machine ${guest.machine}"';
  const places = `join(", ", [for guest in ${ofEntry} : ${place} if ${isAnother}])`;
  const moved = `{ for id, entry in local.${entriesName(registryName(name))} : id => ${places} }`;
  return { locals: { [elsewhereName(name)]: `\${${guests}}`, [movedName(name)]: `\${${moved}}` } };
}

/** Refuses an entry that was moved to another id without formerIds: it would stand for a guest of another machine. */
export function notElsewhere({ name }: Pick<ClusterView, 'name'>, id: string): object {
  const guests = `local.${movedName(name)}["${id}"]`;
  return {
    condition: `\${${guests} == ""}`,
    error_message: `machine ${id}: its registry entry was moved here from another id and belongs to \${${guests}}. A guest would be left to nobody, or destroyed in the place of another one. Nothing was changed. Take the entry back to its id (remove the block "moved", or terraform state mv), and plan again; or, where that machine is in the code no more, name the former id in formerIds of ${id}.`,
  };
}
