import { PROTOCOL_VERSION } from '../../spec';
import { entryTf } from './entry-tf';

/** The snapshots of machines: an entry each, which deletes it when it leaves, and a revision, which takes it. */
export const SNAPSHOTS_TF = `# One entry a snapshot, which deletes it when it goes: before its machine does.
${entryTf({
  name: 'snapshots',
  ids: 'local.snapshots',
  key: 'snapshot',
  names: ['PROXMOX_MACHINE  = split(".", each.key)[0]', 'PROXMOX_SNAPSHOT = split(".", each.key)[1]'],
  after: '\n  depends_on = [terraform_data.machines]\n',
})}
# Takes a snapshot that is not there, or writes its words, once the machines are as wanted.
resource "null_resource" "snapshot" {
  for_each = local.snapshots

  triggers = {
    registry = try(terraform_data.snapshots[each.key].triggers_replace.entry, terraform_data.snapshots[each.key].id)
    spec     = each.value
    token    = try(local.answer["snapshot.\${each.key}.token"], "")
  }

  lifecycle {
    precondition {
      condition     = terraform_data.snapshots[each.key].triggers_replace.owner == var.owner
      error_message = "snapshot \${each.key}: its owner was \${terraform_data.snapshots[each.key].triggers_replace.owner}, is now \${var.owner}. Set \\"owner\\" to what it was."
    }
    precondition {
      condition     = try(local.answer["snapshot.\${each.key}.refusal"], "") == ""
      error_message = "snapshot \${each.key}: \${try(local.answer["snapshot.\${each.key}.refusal"], "")}"
    }
  }

  provisioner "local-exec" {
    interpreter = ["node", "\${path.module}/reconciler.cjs"]
    command     = "apply"
    environment = {
      PROXMOX_PROTOCOL = "${PROTOCOL_VERSION}"
      PROXMOX_CLUSTER  = local.cluster
      PROXMOX_OWNER    = var.owner
      PROXMOX_MACHINE  = split(".", each.key)[0]
      PROXMOX_ENTRY    = self.triggers.registry
      PROXMOX_SNAPSHOT = self.triggers.spec
      PROXMOX_TOKEN    = self.triggers.token
      PROXMOX_FORMER   = jsonencode(try(coalesce(local.machines[split(".", each.key)[0]].formerIds), []))
    }
  }

  depends_on = [null_resource.machine]
}
`;
