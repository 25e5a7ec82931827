import { PROTOCOL_VERSION } from '../../spec';

/** The JSON of a value without the keys that hold null. In JSON text nothing else has this form: a quote is escaped. */
function jsonWithoutNulls(value: string): string {
  const later = String.raw`"/,\"[^\"\\\\]*\":null/"`;
  const first = String.raw`"/\\{\"[^\"\\\\]*\":null,?/"`;
  return `replace(replace(jsonencode(${value}), ${later}, ""), ${first}, "{")`;
}

/** What the parts of the module share: each machine's spec as JSON, and who is observed together. */
export const LOCALS_TF = `locals {
  program = ["node", "\${path.module}/reconciler.cjs"]
  cluster = ${jsonWithoutNulls('var.cluster')}
  call    = { protocol = "${PROTOCOL_VERSION}", cluster = local.cluster, owner = var.owner }

  machines = merge(var.machines, jsondecode(var.machines_json))

  # A value that is not known yet leaves only the spec of its own machine unknown. What is null was not said.
  specs = { for id, x in local.machines : id => ${jsonWithoutNulls('merge({ id = id }, x)')} }

  ids    = toset(keys(local.specs))
  own    = setintersection(var.own_observer, local.ids)
  shared = setsubtract(local.ids, local.own)
}
`;

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
