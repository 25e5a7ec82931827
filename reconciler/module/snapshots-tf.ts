import { PROTOCOL_VERSION } from '../../spec';

/** The snapshots of machines: an entry each, which deletes it when it leaves, and a revision, which takes it. */
export const SNAPSHOTS_TF = `# One entry a snapshot, which deletes it when it goes: before its machine does.
resource "terraform_data" "snapshots" {
  for_each = toset(keys(local.snapshots))

  input            = local.cluster
  triggers_replace = { owner = var.owner, snapshot = each.key }

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
      PROXMOX_MACHINE  = split(".", each.key)[0]
      PROXMOX_SNAPSHOT = split(".", each.key)[1]
      PROXMOX_ENTRY    = try(self.triggers_replace.entry, self.id)
    }
  }

  depends_on = [terraform_data.machines]
}

# Takes a snapshot that is not there, or writes its words, once the machines are as wanted.
resource "null_resource" "snapshot" {
  for_each = local.snapshots

  triggers = {
    registry = try(terraform_data.snapshots[each.key].triggers_replace.entry, terraform_data.snapshots[each.key].id)
    spec     = each.value
    token    = lookup(data.external.observe[0].result, "snapshot.\${each.key}.token", "")
  }

  lifecycle {
    precondition {
      condition     = terraform_data.snapshots[each.key].triggers_replace.owner == var.owner
      error_message = "snapshot \${each.key}: its owner was \${terraform_data.snapshots[each.key].triggers_replace.owner}, is now \${var.owner}. Set \\"owner\\" to what it was."
    }
    precondition {
      condition     = lookup(data.external.observe[0].result, "snapshot.\${each.key}.refusal", "") == ""
      error_message = "snapshot \${each.key}: \${lookup(data.external.observe[0].result, "snapshot.\${each.key}.refusal", "")}"
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
