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
