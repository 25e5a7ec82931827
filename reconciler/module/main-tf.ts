import { ELSEWHERE_TF } from './elsewhere-tf';
import { entryTf } from './entry-tf';
import { EXISTING_TF } from './existing-tf';
import { LOCALS_TF, SAID_TF } from './locals-tf';
import { REVISIONS_TF } from './revisions-tf';
import { SNAPSHOTS_TF } from './snapshots-tf';

/** The parts of the module: what is said, registry, observers, revisions, facts, snapshots, guests that are only read. */
export function mainTf(): string {
  const machines = [LOCALS_TF, SAID_TF, REGISTRY, OBSERVERS, REVISIONS_TF, FACTS];
  return [...machines, SNAPSHOTS_TF, EXISTING_TF].join('\n');
}

// An entry that was moved here from a stack keeps the uuid that the stack drew for it.
const REGISTRY = `# One entry a machine. Nothing of a spec is in it, and the owner is kept as it was: no change can replace an entry.
# When an entry goes, its machine is destroyed.
${entryTf({
  name: 'machines',
  ids: 'local.each_entry',
  key: 'machine',
  names: ['PROXMOX_MACHINE  = each.key'],
})}`;

/** Tells the walk of Terraform as `observe` does (commands/observe/walk-of.ts). */
const WALK =
  "JSON.stringify({ walk: process.env.PLUGIN_CLIENT_CERT ? crypto.createHash('sha256').update(process.env.PLUGIN_CLIENT_CERT).digest('base64url').slice(0, 16) : '' })";

const OBSERVERS = `# Tells at every plan how machines and snapshots stand: one process for all. It also reads the guests of machines that have
# left the maps, so it stays where none is left in them.
data "external" "observe" {
  program = concat(local.program, ["observe"])
  query = merge(
    local.call,
    { fleet = local.fleet },
    { for id in local.shared : "spec.\${id}" => local.specs[id] },
    { for id in setintersection(local.shared, var.addresses) : "reads.\${id}" => "ipAddresses" },
    { for key, spec in local.snapshots : "snapshot.\${key}" => spec },
  )
}

# The same for a machine alone: a value in its spec that is not known yet then holds up no other machine.
data "external" "observe_own" {
  for_each = local.own

  program = concat(local.program, ["observe"])
  query = merge(
    local.call,
    { fleet = local.fleet, "spec.\${each.key}" = local.specs[each.key] },
    { for id in setintersection([each.key], var.addresses) : "reads.\${id}" => "ipAddresses" },
  )
}

# It asks nothing that is not known: always read in the plan. A reading of another walk was put off to the apply, and no plan
# has shown what that found. Each walk starts the provider anew, with a certificate of its own.
data "external" "walk" {
  program = ["node", "-p", "${WALK}"]
}

locals {
  # What each revision reads of the registry, and of the answer, worked out once for all.
  registered = { for id, entry in terraform_data.machines : id => {
    owner = entry.triggers_replace.owner
    entry = try(entry.triggers_replace.entry, entry.id)
  } }
  answer = data.external.observe.result
  walk   = data.external.walk.result.walk

  told = merge(
    { for id in local.shared : id => {
      status  = try(local.answer["\${id}.status"], "")
      token   = try(local.answer["\${id}.token"], "")
      refusal = try(local.answer["\${id}.refusal"], "")
      drift   = try(local.answer["\${id}.drift"], "")
      walk    = try(local.answer.walk, "")
      alone   = try(local.answer["\${id}.alone"], "")
    } },
    { for id in local.own : id => {
      status  = try(data.external.observe_own[id].result["\${id}.status"], "")
      token   = try(data.external.observe_own[id].result["\${id}.token"], "")
      refusal = try(data.external.observe_own[id].result["\${id}.refusal"], "")
      drift   = try(data.external.observe_own[id].result["\${id}.drift"], "")
      walk    = try(data.external.observe_own[id].result.walk, "")
      alone   = ""
    } },
  )
  # of the others the apply tells it: a check that is not decided yet is a warning by itself
  unproven = [for id in local.shared : "machine \${id}: \${local.told[id].alone}" if local.told[id].alone != ""]
  drifted  = [for id, told in local.told : "\${id}: \${told.drift}" if told.drift != ""]
}
${ELSEWHERE_TF}
# A machine whose guest somebody has edited, so that it is refused, fails its own apply, and no other's.
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

// Terraform reads a data source that names a resource only after all instances of that one are applied; by way of a local
// it waits for what is not known yet alone (ReferenceMap.dependsOn of Terraform counts direct references).
const FACTS = `# Read through this, the facts of a machine wait for its own revision: those of the others stay known.
locals {
  revisions  = { for id, machine in null_resource.machine : id => machine.id }
  each_facts = { for id in local.ids : id => id if var.facts == null || contains(coalesce(var.facts, []), id) }
}

# What the outputs tell: one process a machine.
data "external" "facts" {
  for_each = local.each_facts

  program = concat(local.program, ["facts"])
  query = merge(
    local.call,
    { machine = each.key, revision = local.revisions[each.key] },
    { for id in setintersection([each.key], var.addresses) : "required" => "ipAddresses" },
  )
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

  # Of machines that a plan does not change: of others it is not known yet, and Terraform would warn of that. Nor is it of
  # machines with a process of their own, such as a clone of a new one, how they stand: those are left out first.
  shared_facts = { for id in setintersection(local.shared, keys(local.each_facts)) : id => data.external.facts[id] }
  stale = [for id, facts in local.shared_facts : jsondecode(facts.result.staleAddresses)
    if contains(["in-sync", "observed"], try(local.told[id].status, "")) ?
  local.awaited[id] && contains(keys(facts.result), "staleAddresses") : false]

  # The same of addresses that are written and wait for a restart. What a machine says itself counts as told, too.
  waiting = [for id, facts in local.shared_facts : "machine \${id}: \${jsondecode(facts.result.waitingAddresses)}"
    if contains(["in-sync", "observed"], try(local.told[id].status, "")) ?
    (local.awaited[id] || local.said[id].address != null) && contains(keys(facts.result), "waitingAddresses") :
  false]
}

# An address that was last known stays in the outputs while the guest's agent is silent.
check "addresses" {
  assert {
    condition     = length(local.stale) == 0
    error_message = "the agents of these machines are silent: \${join("; ", local.stale)}"
  }
  assert {
    condition     = length(local.waiting) == 0
    error_message = "the addresses that are told are not yet those of the guests: \${join("; ", local.waiting)}"
  }
}
`;
