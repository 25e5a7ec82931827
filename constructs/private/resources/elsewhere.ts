import { Lazy } from 'cdktf';
import type { ClusterView } from '../calls/cluster-view';
import { elsewhereName, entriesName, movedName, observedName, registryName } from './names';
import { nameIn } from './registry';

/**
 * The guests of machines that the program has under no id, by the registry entry that each belongs to, as the shared
 * observer reads them; and which of these the entry of a machine has. Two locals: each is worked out once, for all.
 */
export function elsewhere({ name, members }: Pick<ClusterView, 'name' | 'members'>): Record<string, unknown> {
  const ids = members.flatMap(({ id, formerIds }) => [id, ...formerIds]);
  const told = `try(jsondecode(local.${observedName(name)}.guests).guests, [])`;
  const place = '"VM ${guest.vmid} on ${guest.node}, machine ${guest.machine}"';
  const isElsewhere = `can(guest.entry) && !contains(${JSON.stringify(ids)}, guest.machine)`;
  const guests = `{ for guest in ${told} : guest.entry => ${place}... if ${isElsewhere} }`;
  const ofEntry = `try(join(", ", local.${elsewhereName(name)}[${nameIn('entry')}]), "")`;
  const moved = `{ for id, entry in local.${entriesName(registryName(name))} : id => ${ofEntry} }`;
  return { locals: { [elsewhereName(name)]: `\${${guests}}`, [movedName(name)]: `\${${moved}}` } };
}

/** Refuses a new guest for an entry that was moved to another id without formerIds: its guest would be left behind. */
export function notElsewhere({ name }: Pick<ClusterView, 'name'>, id: string, status: () => string): object {
  const guests = `local.${movedName(name)}["${id}"]`;
  return {
    condition: Lazy.stringValue({ produce: () => `\${${status()} != "absent" || ${guests} == ""}` }),
    error_message: `machine ${id}: its registry entry was moved here from another id and belongs to \${${guests}}. A second guest would be made, and that one would be left to nobody. Nothing was changed. Name the former id in formerIds of ${id}; or take the entry back to its id (remove the block "moved", or terraform state mv), and plan again.`,
  };
}
