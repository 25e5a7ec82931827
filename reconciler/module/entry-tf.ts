import { PROTOCOL_VERSION } from '../../spec';

/** What differs between the registry of machines and that of snapshots. */
interface Registry {
  name: string;
  ids: string;
  /** The trigger that holds the key. */
  key: string;
  /** How a destroy names what goes: lines of its environment. */
  names: readonly string[];
  after?: string;
}

/** How a destroy finds the cluster of an entry that was moved here from a stack: that entry does not say it. */
export const CLUSTER_OF_STACK = 'cluster-of-stack.json';

/**
 * A registry: an entry for each key, which destroys what it stands for when it goes. Not a null_resource: its input may
 * change in place, so that a destroy knows the way to the cluster as it is today. That of a moved entry stays empty: a null
 * of JSON has no type, as that of a moved entry has none, so the first plan after the move changes nothing.
 */
export function entryTf({ name, ids, key, names, after = '' }: Registry): string {
  return `resource "terraform_data" "${name}" {
  for_each = ${ids}

  input            = jsondecode(contains(var.entries_of_stack, each.key) ? "null" : jsonencode(local.cluster))
  triggers_replace = { owner = var.owner, ${key} = each.key }

  lifecycle {
    ignore_changes = [triggers_replace]
  }

  provisioner "local-exec" {
    when        = destroy
    interpreter = ["node", "\${path.module}/reconciler.cjs"]
    command     = "destroy"
    environment = {
      PROXMOX_PROTOCOL = "${PROTOCOL_VERSION}"
      PROXMOX_CLUSTER  = try(coalesce(self.input), file("\${path.module}/${CLUSTER_OF_STACK}"))
      PROXMOX_OWNER    = self.triggers_replace.owner
${names.map(line => `      ${line}`).join('\n')}
      PROXMOX_ENTRY    = try(self.triggers_replace.entry, self.id)
    }
  }
${after}}
`;
}
