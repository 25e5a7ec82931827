/** The guests of the owner that no machine of the call is, as the shared observer reads them. Worked out once, for all machines. */
export const ELSEWHERE_TF = `
# The guests of machines that the call does not have, by the registry entry that each belongs to.
locals {
  elsewhere = { for guest in try(jsondecode(local.answer.guests).guests, []) :
  guest.entry => guest... if can(guest.entry) && !contains(local.entries, guest.machine) }
  # Of each machine, those that belong to its entry: it was moved here from another id.
  moved = { for id, registered in local.registered : id => [
    for guest in try(local.elsewhere[registered.entry], []) : "VM \${guest.vmid} on \${guest.node}, machine \${guest.machine}"
    if !contains(try(jsondecode(local.specs[id]).formerIds, []), guest.machine)
  ] }
}
`;

/** Refuses a new guest for an entry that was moved to another id without formerIds: its guest would be left behind. */
export const NOT_ELSEWHERE = `    precondition {
      condition     = local.told[each.key].status != "absent" || length(local.moved[each.key]) == 0
      error_message = "machine \${each.key}: its registry entry was moved here from another id and belongs to \${join(", ", local.moved[each.key])}. A second guest would be made, and that one would be left to nobody. Nothing was changed. Name the former id in formerIds of \${each.key}; or take the entry back to its id (remove the block \\"moved\\", or terraform state mv), and plan again."
    }`;
