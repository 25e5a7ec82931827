import { PROTOCOL_VERSION } from '../../spec';
import { NOT_ELSEWHERE } from './elsewhere-tf';

const APPLIES = `  provisioner "local-exec" {
    interpreter = ["node", "\${path.module}/reconciler.cjs"]
    command     = "apply"
    environment = {
      PROXMOX_PROTOCOL = "${PROTOCOL_VERSION}"
      PROXMOX_CLUSTER  = local.cluster
      PROXMOX_FLEET    = local.nodes
      PROXMOX_OWNER    = var.owner
      PROXMOX_MACHINE  = each.key
      PROXMOX_READS    = contains(var.addresses, each.key) ? "ipAddresses" : ""
      PROXMOX_ENTRY    = self.triggers.registry
      PROXMOX_SPEC     = self.triggers.spec
      PROXMOX_TOKEN    = self.triggers.token
      PROXMOX_UNSHOWN  = contains(["", local.walk], local.told[each.key].walk) ? "" : "unshown"
    }
  }`;

const revisionsOf = (
  name: string,
  ids: string,
  after: string,
): string => `resource "null_resource" "${name}" {
  for_each = ${ids}

  triggers = {
    registry = local.registered[each.key].entry
    spec     = local.specs[each.key]
    token    = local.told[each.key].token
  }

  lifecycle {
    precondition {
      condition     = local.registered[each.key].owner == var.owner
      error_message = "machine \${each.key}: its owner was \${local.registered[each.key].owner}, is now \${var.owner}. Set \\"owner\\" to what it was."
    }
    precondition {
      condition     = local.told[each.key].refusal == ""
      error_message = "machine \${each.key}: \${local.told[each.key].refusal}"
    }
${NOT_ELSEWHERE}
    precondition {
      condition     = length(local.specs[each.key]) <= 100 * 1024
      error_message = "machine \${each.key}: its spec is longer than 100 KiB, which is more than a variable of a process may hold. Make its longest texts shorter."
    }
    # names what comes first, so that Terraform makes it first: it is never false
    precondition {
      condition     = length([var.after]) == 1
      error_message = "machine \${each.key}: what it waits for was not made."
    }
  }

${APPLIES}${after}
}
`;

/** Terraform reads a "depends_on" of managed resources as an order: a template of the same call is made first. */
const AFTER_TEMPLATES = `

  depends_on = [null_resource.template]`;

/** The revisions of the templates and of the machines. */
export const REVISIONS_TF = `# Terraform replaces a revision when the spec or what was observed changed. Making it changes the machine in place.
${revisionsOf('template', 'local.built', '')}
# Those of machines, which may be clones of the templates.
${revisionsOf('machine', 'local.each_id', AFTER_TEMPLATES)}`;
