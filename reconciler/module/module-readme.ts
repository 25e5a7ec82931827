import { outputNames } from './outputs-tf';
import { fieldsOf, type Schema } from './field-kinds';

/** The page that goes with the module. */
export function moduleReadme(machine: Schema, outputs: Schema): string {
  return `${INTRODUCTION}
## Outputs

| output | what it is |
| --- | --- |
| \`machines\` | by id, for each machine whose facts are read: ${listed(outputNames(outputs))}; null where there is none. \`ipAddresses\` only with \`waitFor = "address"\`. What the machine says itself stays known when it changes: \`vmid\`, \`name\`, the static address of its first network as \`primaryIpAddress\` |
| \`facts\` | by id: what the reconciler tells of the machine, as JSON texts |
| \`revisions\` | by id: changes when a machine was changed |
| \`existing\` | by the keys of \`existing\`: what is known of guests that are only read, a list for \`allWithTag\` |

## Fields of a machine

Each is described in variables.tf. A field that is left out, or null, is not managed: never touched.

${fieldsOf(machine)
  .filter(([name]) => !['id', 'cluster'].includes(name))
  .map(([name, { description = '' }]) => `- \`${name}\`: ${description}`)
  .join('\n')}
`;
}

const listed = (names: string[]): string => names.map(name => `\`${name}\``).join(', ');

const INTRODUCTION = `# Machines on Proxmox

Written by \`pve-reconciler module\`. Do not edit: write it again with a newer release instead.

\`\`\`hcl
module "lab" {
  source  = "./proxmox"
  owner   = "web-team"
  cluster = { name = "lab" }
  machines = {
    web = { image = { template = "ubuntu-22.04" }, memory = "2Gi", cpu = { cores = 2 } }
    db  = { image = { template = "ubuntu-22.04" }, memory = "4Gi", disks = [{ name = "data", size = "20G" }] }
  }
}
\`\`\`

Node 20 or newer must be on the machine that runs Terraform or OpenTofu. Where Proxmox is and who you are come from its
environment: \`PVE_ENDPOINT\`, \`PVE_TOKEN_ID\`, \`PVE_TOKEN_SECRET\`, each also as \`…_FILE\`. A cluster named \`lab\` reads
\`PVE_LAB_ENDPOINT\` and so on first. The credentials are in no state and in no plan.

**To remove all machines: empty the map, apply, then remove the call.** Removing the call alone destroys nothing: the
machines stay, and nobody manages them. **A new name for the call** needs a block \`moved\` with \`from = module.lab\` and
\`to = module.prod\`: then no machine is touched.

## Inputs

| variable | type | default | what it is |
| --- | --- | --- | --- |
| \`owner\` | text | required | who owns the machines; no two calls on a cluster may share it, unless they were one stack; it may not change later |
| \`cluster\` | object | required | \`name\`, and what differs from the defaults |
| \`machines\` | map of objects | \`{}\` | the machines by id |
| \`machines_json\` | JSON text | \`"{}"\` | more machines by id, such as \`file("machines.json")\` |
| \`nodes\` | map of objects | \`{}\` | what is said about nodes, by their names |
| \`images\` | map of objects | \`{}\` | images that are made ready as templates: a machine says \`image = { machine = "debian" }\` |
| \`snapshots\` | map of maps | \`{}\` | snapshots by machine, then by name: \`{ web = { clean = {} } }\` |
| \`existing\` | map of objects | \`{}\` | guests that stay somebody else's, only read: \`{ db = { name = "legacy-db" }, web = { allWithTag = "web" } }\` |
| \`own_observer\` | set of ids | \`[]\` | machines whose spec holds values that are known only at apply |
| \`after\` | list | \`[]\` | what Terraform makes before these machines: resources or calls, such as \`[module.network]\` |
| \`facts\` | set of ids | all | machines whose outputs are read, one process each |
| \`addresses\` | set of ids | \`[]\` | machines whose start fails while their guests tell no address |

The keys of all maps must be known when Terraform plans, and with \`images\` all of them, \`cluster\` and \`owner\`. A field
that is not known is refused by the plan, which names the one that was meant.

A machine goes back to a snapshot by \`revertTo\`, and has one taken before risky changes by \`snapshotBeforeChange\`.
`;
