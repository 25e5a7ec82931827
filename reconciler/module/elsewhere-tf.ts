/** The guests that the entry of a machine holds and that are another machine, as the shared observer reads them. Worked out once, for all. */
export const ELSEWHERE_TF = `
# The guests of the owner, by the registry entry that each belongs to.
locals {
  by_entry = { for guest in try(jsondecode(local.answer.guests).guests, []) : guest.entry => guest... if can(guest.entry) }
  # Of each machine, those of its entry that are another one: the entry was moved here from another id.
  moved = { for id, registered in local.registered : id => [for guest in try(local.by_entry[registered.entry], []) : guest
    if guest.machine != id && !contains(try(jsondecode(local.specs[id]).formerIds, []), guest.machine)
  ] }
  moved_here = { for id, guests in local.moved : id =>
    join(", ", [for guest in guests : "VM \${guest.vmid} on \${guest.node}, machine \${guest.machine}"])
  }
  # Where such a guest is a machine of the code, too, its entry has to go back.
  moved_back = { for id, guests in local.moved : id => length([for guest in guests : 1 if contains(local.entries, guest.machine)]) > 0 }
}
`;

/** Refuses an entry that was moved to another id without formerIds: it is made anew, or destroyed, in place of another. */
export const NOT_ELSEWHERE = `    precondition {
      condition     = length(local.moved[each.key]) == 0
      error_message = "machine \${each.key}: its registry entry was moved here from another id and belongs to \${local.moved_here[each.key]}. \${local.moved_back[each.key] ? "That machine is in the code, too" : "A second guest would be made, and that one would be left to nobody"}. Nothing was changed. \${local.moved_back[each.key] ? "Take" : "Name the former id in formerIds of \${each.key}; or take"} both entries back to their id (remove the blocks \\"moved\\", or terraform state mv), and plan again."
    }`;
