/** What a machine says itself, and what is so once it is applied: known also while the machine changes. */
export const SAID_TF = `# What a machine says itself: known before it is applied. Not of a machine that is only observed or paused: nothing
# makes that one as it says.
locals {
  managed = { for id, x in local.machines : id => coalesce(try(x.mode, null), "reconcile") == "reconcile" }

  # Of the first network, with its prefix. A "try" sees what its machine says alone: what another one does not know yet
  # leaves it known.
  addresses = { for id, x in local.machines : id => try(
    x.networks[0].staticIP.address,
    x.networks[0].ipv4.address,
    x.networks[0].ipv6.address,
    null,
  ) }

  # In the one spelling that a guest tells, too: cidrhost gives it.
  hosts = { for id, address in local.addresses : id => try(
    cidrhost(replace(address, "/[/].*/", strcontains(address, ":") ? "/128" : "/32"), 0),
    null,
  ) }

  said = { for id, x in local.machines : id => {
    vmid    = local.managed[id] ? try(x.vmid, null) : null
    name    = local.managed[id] ? try(coalesce(x.name), try(x.adopt, false) == true ? null : id) : null
    address = local.managed[id] ? local.hosts[id] : null
  } }
}
`;
