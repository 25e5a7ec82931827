import { PROTOCOL_VERSION } from '../../spec';
import { changedFields, withoutNulls } from './hcl-value';
import type { Schema } from './schema';

/** What the parts of the module share: each machine's spec as JSON, and who is observed together. */
export function localsTf(machine: Schema, cluster: Schema): string {
  return `locals {
  program = ["node", "\${path.module}/reconciler.cjs"]
  cluster = jsonencode(${withoutNulls('var.cluster', cluster)})
  call    = { protocol = "${PROTOCOL_VERSION}", cluster = local.cluster, owner = var.owner }

  # A value that is not known yet leaves only the spec of its own machine unknown.
  specs = merge(
    { for id, x in var.machines : id => jsonencode({ for k, v in merge(x, {
${specFields(machine)}
    }) : k => v if v != null }) },
    { for id, x in jsondecode(var.machines_json) : id => jsonencode(merge(x, { id = id })) },
  )

  ids    = toset(keys(local.specs))
  own    = setintersection(var.own_observer, local.ids)
  shared = setsubtract(local.ids, local.own)
}
`;
}

function specFields(machine: Schema): string {
  const fields: [string, string][] = [['id', 'id'], ...changedFields(machine, 'x', 'y')];
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields.map(([name, text]) => `      ${name.padEnd(width)} = ${text}`).join('\n');
}
