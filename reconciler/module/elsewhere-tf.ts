/** The guests of the owner that no machine of the call is, by the entry that holds each: as the shared observer reads them. */
export const ELSEWHERE_TF = `
# The guests of machines that the call does not have, by the registry entry that each belongs to.
locals {
  elsewhere = { for guest in flatten([
    for answer in data.external.observe : try(jsondecode(answer.result.guests).guests, [])
  ]) : guest.entry => guest... if can(guest.entry) && !contains(local.entries, guest.machine) }
}
`;

/** Refuses a new guest for an entry that was moved to another id without formerIds: its guest would be left behind. */
export function notElsewhere(entry: string): string {
  const guests = `try(local.elsewhere[${entry}], [])`;
  const former = 'try(jsondecode(local.specs[each.key]).formerIds, [])';
  const all = `join(", ", [for guest in ${guests} : "VM \${guest.vmid} on \${guest.node}, machine \${guest.machine}"])`;
  return `    precondition {
      condition     = alltrue([for guest in ${guests} : contains(${former}, guest.machine)])
      error_message = "machine \${each.key}: its registry entry was moved here from another id and belongs to \${${all}}. A second guest would be made, and that one would be left to nobody. Nothing was changed. Name the former id in formerIds of \${each.key}; or take the entry back to its id (remove the block \\"moved\\", or terraform state mv), and plan again."
    }`;
}
