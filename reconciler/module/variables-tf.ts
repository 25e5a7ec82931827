import { besideTf } from './beside-tf';
import { existingVariable } from './existing-tf';
import { commented, hclType } from './hcl-type';
import type { Schema } from './field-kinds';

/** The documents whose fields a call of the module may give. */
export interface Documents {
  machine: Schema;
  cluster: Schema;
  node: Schema;
  image: Schema;
  snapshot: Schema;
  existing: Schema;
}

/** What a call of the module says. */
export function variablesTf({ machine, cluster, existing, ...beside }: Documents): string {
  return `${machines(machine)}
${MACHINES_JSON}
${besideTf(beside)}
${existingVariable(existing)}
variable "owner" {
  description = "Who owns the machines: only their owner changes them. It may not change later."
  type        = string

  validation {
    condition     = var.owner != ""
    error_message = "The owner is empty: give a name that no other call uses on this cluster."
  }
}

${commented(`cluster = ${hclType(cluster, '', ['defaults'])}`)}
variable "cluster" {
  description = "The cluster: its name, and what differs from the defaults. Endpoint and credentials come from the environment."
  type        = any
}

${SETS}
${OF_STACK}`;
}

const ID = '^[a-zA-Z0-9][a-zA-Z0-9-]{0,62}$';

const validIds = (ids: string): string => `  validation {
    condition     = alltrue([for id in ${ids} : can(regex("${ID}", id))])
    error_message = "No id of a machine: \${join(", ", [for id in ${ids} : jsonencode(id) if !can(regex("${ID}", id))])}. An id is 1 to 63 letters, digits and dashes, and does not begin with a dash. Name the machine otherwise."
  }
`;

/** An entry with nothing in it would be a machine that says nothing: one that is there would be started. */
const noNulls = (machines: string): string => `  validation {
    condition     = alltrue([for x in ${machines} : x != null])
    error_message = "An entry is null: \${join(", ", [for id, x in ${machines} : id if x == null])}. Leave it out, and its machine is destroyed; or say what it is."
  }
`;

// Not typed: of an object type with optional fields, Terraform and OpenTofu drop every field that it has not, a mistyped
// one too. The reconciler reads the values at each plan, and names the field that was meant.
const machines = (
  machine: Schema,
): string => `# The type of a variable would drop a mistyped field in silence. These are the fields; the plan refuses others.
#
${commented(`machines = map(${hclType(machine, '', ['id', 'cluster'])})`)}
variable "machines" {
  description = "The machines by id. A field that is left out is not managed."
  type        = any
  default     = {}
  nullable    = false

${validIds('keys(var.machines)')}${noNulls('var.machines')}}
`;

const MACHINES_JSON = `variable "machines_json" {
  description = "More machines by id, as JSON text: for what another program writes."
  type        = string
  default     = "{}"
  nullable    = false

${validIds('keys(jsondecode(var.machines_json))')}${noNulls('jsondecode(var.machines_json)')}  validation {
    condition     = length(setintersection(keys(var.machines), keys(jsondecode(var.machines_json)))) == 0
    error_message = "A machine is in machines and in machines_json: remove it from one of both."
  }
}
`;

const SETS = `variable "own_observer" {
  description = "Machines whose spec holds values that Terraform knows only when it applies: each is observed alone."
  type        = set(string)
  default     = []
  nullable    = false
}

variable "after" {
  description = "What Terraform makes before it makes or changes these machines: a list of resources, or of calls of modules."
  type        = any
  default     = []
  nullable    = false
}

variable "facts" {
  description = "Machines whose outputs are read, at the cost of one process each; null: all of them."
  type        = set(string)
  default     = null
}

variable "addresses" {
  description = "Machines whose addresses must be known: an apply that starts one fails where its guest tells none."
  type        = set(string)
  default     = []
  nullable    = false
}
`;

// What `module --from` gives, so that what a stack wrote into the state stays the same letter by letter.
const OF_STACK = `variable "specs_json" {
  description = "More machines by id, and snapshots by <machine>.<name>: the JSON texts of their specs, taken as they stand."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = length(setintersection(keys(var.specs_json), keys(merge(var.machines, jsondecode(var.machines_json))))) == 0
    error_message = "A machine is in specs_json, and in machines or machines_json too: remove it from one of both."
  }
}

variable "templates_json" {
  description = "Templates that a stack made of images, by id: the JSON texts of their specs, taken as they stand."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "entries_of_stack" {
  description = "Entries that were moved here from a stack, by machine or by <machine>.<snapshot>. Without them the next apply writes the cluster into the entries, and nothing else."
  type        = set(string)
  default     = []
  nullable    = false
}
`;
