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

/**
 * A registry: an entry for each key, which destroys what it stands for when it goes. Not a null_resource: its input may
 * change in place, so that a destroy knows the way to the cluster as it is today.
 */
export function entryTf({ name, ids, key, names, after = '' }: Registry): string {
  return `resource "terraform_data" "${name}" {
  for_each = ${ids}

  input            = local.cluster
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
      PROXMOX_CLUSTER  = self.input
      PROXMOX_OWNER    = self.triggers_replace.owner
${names.map(line => `      ${line}`).join('\n')}
      PROXMOX_ENTRY    = try(self.triggers_replace.entry, self.id)
    }
  }
${after}}
`;
}
