import { PROTOCOL_VERSION } from '../../spec';

/** The JSON of a value without the keys that hold null. In JSON text nothing else has this form: a quote is escaped. */
function jsonWithoutNulls(value: string): string {
  const later = String.raw`"/,\"[^\"\\\\]*\":null/"`;
  const first = String.raw`"/\\{\"[^\"\\\\]*\":null,?/"`;
  return `replace(replace(jsonencode(${value}), ${later}, ""), ${first}, "{")`;
}

/** What the parts of the module share: what is said as JSON, and who is observed together. */
export const LOCALS_TF = `locals {
  program = ["node", "\${path.module}/reconciler.cjs"]
  cluster = ${jsonWithoutNulls('var.cluster')}
  call    = { protocol = "${PROTOCOL_VERSION}", cluster = local.cluster, owner = var.owner }

  texts    = { for id, text in var.specs_json : id => text if !strcontains(id, ".") }
  machines = merge(var.machines, jsondecode(var.machines_json), { for id, text in local.texts : id => jsondecode(text) })
  ids      = toset(keys(local.machines))
  own      = setintersection(var.own_observer, local.ids)
  entries  = setunion(local.ids, keys(local.built))
  shared   = setsubtract(local.entries, local.own)

  # What a for_each goes over. Terraform reads it anew for each entry: a map as it is, while a set is made again.
  each_id    = { for id in local.ids : id => id }
  each_entry = { for id in local.entries : id => id }
}

# What images become: templates, which are machines too, and what a machine says that is made from one. Asks nobody.
data "external" "images" {
  count = length(var.images) > 0 ? 1 : 0

  program = concat(local.program, ["facts"])
  query   = merge(local.call, { images = jsonencode([for name, x in var.images : merge(x, { name = name })]) })

  lifecycle {
    postcondition {
      condition     = length(setintersection(local.ids, [for key in keys(self.result) : trimprefix(key, "spec.")])) == 0
      error_message = "A template of an image has the id of a machine. Give one of both another name."
    }
  }
}

locals {
  prepared = merge(data.external.images[*].result...)
  built = merge(
    { for key, spec in local.prepared : trimprefix(key, "spec.") => spec if startswith(key, "spec.") },
    var.templates_json,
  )
  images = { for key, image in local.prepared : trimprefix(key, "image.") => jsondecode(image) if startswith(key, "image.") }

  # A machine names an image by its name, where it could name another machine.
  wanted = { for id, x in local.machines : id => merge({ id = id }, x, [
    for name, image in local.images : {
      image = merge({ for field, value in x.image : field => value if field != "machine" }, image)
    } if try(x.image.machine == name, false)
  ]...) }

  # A value that is not known yet leaves only the spec of its own machine unknown. What is null was not said.
  specs = merge({ for id, x in local.wanted : id => ${jsonWithoutNulls('x')} }, local.built, local.texts)

  # By "<machine>.<name>".
  snapshots = merge(
    { for key, text in var.specs_json : key => text if strcontains(key, ".") },
    [for machine, all in var.snapshots : {
      for name, x in all : "\${machine}.\${name}" => ${jsonWithoutNulls('merge(x, { machine = machine, name = name })')}
    }]...
  )

  # What placement must know besides the machines of a query; empty where there is nothing.
  node_list = [for name, x in var.nodes : merge(x, { nodeName = name })]
  nodes     = length(var.nodes) == 0 ? "" : jsonencode({ machines = [], nodes = local.node_list })
  fleet = length(var.nodes) + length(local.built) == 0 ? "" : jsonencode({
    machines = jsondecode(lookup(local.prepared, "fleet", "[]"))
    nodes    = local.node_list
  })
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
