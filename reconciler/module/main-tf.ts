import { PROTOCOL_VERSION } from '../../spec';
import { LOCALS_TF, SAID_TF } from './locals-tf';

/** The parts of the module: what is said, registry, observers, revisions, facts. */
export function mainTf(): string {
  return [LOCALS_TF, SAID_TF, REGISTRY, OBSERVERS, REVISIONS, FACTS].join('\n');
}

// An entry that was moved here from a stack keeps the uuid that the stack drew for it.
// Not a null_resource: its input may change in place, so that a destroy knows the way to the cluster as it is today.
const REGISTRY = `# One entry a machine. Nothing of a spec is in it, and the owner is kept as it was: no change can replace an entry.
# When an entry goes, its machine is destroyed.
resource "terraform_data" "machines" {
  for_each = local.ids

  input            = local.cluster
  triggers_replace = { owner = var.owner, machine = each.key }

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
      PROXMOX_MACHINE  = each.key
      PROXMOX_ENTRY    = try(self.triggers_replace.entry, self.id)
    }
  }
}
`;

const OBSERVERS = `# Tells at every plan how machines stand: one process for all.
data "external" "observe" {
  count = length(local.shared) > 0 ? 1 : 0

  program = concat(local.program, ["observe"])
  query   = merge(local.call, { for id in local.shared : "spec.\${id}" => local.specs[id] })
}

# The same for a machine alone: a value in its spec that is not known yet then holds up no other machine.
data "external" "observe_own" {
  for_each = local.own

  program = concat(local.program, ["observe"])
  query   = merge(local.call, { "spec.\${each.key}" = local.specs[each.key] })
}

locals {
  told = merge(
    { for id in local.shared : id => {
      status  = lookup(data.external.observe[0].result, "\${id}.status", "")
      token   = lookup(data.external.observe[0].result, "\${id}.token", "")
      refusal = lookup(data.external.observe[0].result, "\${id}.refusal", "")
      drift   = lookup(data.external.observe[0].result, "\${id}.drift", "")
      alone   = lookup(data.external.observe[0].result, "\${id}.alone", "")
    } },
    { for id in local.own : id => {
      status  = lookup(data.external.observe_own[id].result, "\${id}.status", "")
      token   = lookup(data.external.observe_own[id].result, "\${id}.token", "")
      refusal = lookup(data.external.observe_own[id].result, "\${id}.refusal", "")
      drift   = lookup(data.external.observe_own[id].result, "\${id}.drift", "")
      alone   = ""
    } },
  )
  # of the others the apply tells it: a check that is not decided yet is a warning by itself
  unproven = [for id in local.shared : "machine \${id}: \${local.told[id].alone}" if local.told[id].alone != ""]
  drifted  = [for id, told in local.told : "\${id}: \${told.drift}" if told.drift != ""]
}

# A machine whose guest is not proven any more fails its own apply, and no other's.
check "proven" {
  assert {
    condition     = length(local.unproven) == 0
    error_message = "The apply of these machines will fail, and the others are applied. \${join("\\n", local.unproven)}"
  }
}

# A machine that is only observed stands in the way of nothing: what differs is a warning.
check "observed" {
  assert {
    condition     = length(local.drifted) == 0
    error_message = "machines that are only observed (mode: observe) differ from their specs: \${join("; ", local.drifted)}"
  }
}
`;

const REVISIONS = `# Terraform replaces a revision when the spec or what was observed changed. Making it changes the machine in place.
resource "null_resource" "machine" {
  for_each = local.ids

  triggers = {
    registry = try(terraform_data.machines[each.key].triggers_replace.entry, terraform_data.machines[each.key].id)
    spec     = local.specs[each.key]
    token    = local.told[each.key].token
  }

  lifecycle {
    precondition {
      condition     = terraform_data.machines[each.key].triggers_replace.owner == var.owner
      error_message = "machine \${each.key}: its owner was \${terraform_data.machines[each.key].triggers_replace.owner}, is now \${var.owner}. Set \\"owner\\" to what it was."
    }
    precondition {
      condition     = local.told[each.key].refusal == ""
      error_message = "machine \${each.key}: \${local.told[each.key].refusal}"
    }
    precondition {
      condition     = length(local.specs[each.key]) <= 100 * 1024
      error_message = "machine \${each.key}: its spec is longer than 100 KiB, which is more than a variable of a process may hold. Make its longest texts shorter."
    }
  }

  provisioner "local-exec" {
    interpreter = ["node", "\${path.module}/reconciler.cjs"]
    command     = "apply"
    environment = {
      PROXMOX_PROTOCOL = "${PROTOCOL_VERSION}"
      PROXMOX_CLUSTER  = local.cluster
      PROXMOX_OWNER    = var.owner
      PROXMOX_MACHINE  = each.key
      PROXMOX_ENTRY    = self.triggers.registry
      PROXMOX_SPEC     = self.triggers.spec
      PROXMOX_TOKEN    = self.triggers.token
    }
  }
}
`;

const FACTS = `# What the outputs tell: one process a machine.
data "external" "facts" {
  for_each = var.facts == null ? local.ids : setintersection(var.facts, local.ids)

  program = concat(local.program, ["facts"])
  query   = merge(local.call, { machine = each.key, revision = null_resource.machine[each.key].id })
}

# An address that nobody waited for comes after the apply: as an output it would be a change in the next plan.
locals {
  awaited = { for id, spec in local.specs : id => try(
    jsondecode(spec).waitFor == "address" || can(jsondecode(spec).waitFor.address),
    false,
  ) }

  # The first IPv4 address that the guest has, else its first one. As JSON: a null has no type then, and is no change.
  first_address = { for id, facts in data.external.facts : id => jsondecode(local.awaited[id] ? try(
    jsonencode([for ip in jsondecode(facts.result.ipAddresses) : ip if !strcontains(ip, ":")][0]),
    jsonencode(jsondecode(facts.result.ipAddresses)[0]),
    "null",
  ) : "null") }

  # Of machines that a plan does not change: of others it is not known yet, and Terraform would warn of that.
  stale = [for id, facts in data.external.facts : jsondecode(facts.result.staleAddresses)
    if contains(local.shared, id) && contains(["in-sync", "observed"], try(local.told[id].status, "")) ?
  local.awaited[id] && contains(keys(facts.result), "staleAddresses") : false]
}

# An address that was last known stays in the outputs while the guest's agent is silent.
check "addresses" {
  assert {
    condition     = length(local.stale) == 0
    error_message = "the agents of these machines are silent: \${join("; ", local.stale)}"
  }
}
`;
