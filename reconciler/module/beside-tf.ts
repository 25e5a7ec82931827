import type { Schema } from './field-kinds';
import { commented, hclType } from './hcl-type';

const IDS = 'concat(keys(var.machines), keys(jsondecode(var.machines_json)), keys(var.specs_json))';

/** What a call says besides its machines, each by its name: the variables of nodes, images and snapshots. */
export function besideTf({ node, image, snapshot }: Record<'node' | 'image' | 'snapshot', Schema>): string {
  return `${commented(`nodes = map(${hclType(node, '', ['nodeName', 'cluster'])})`)}
variable "nodes" {
  description = "What is said about nodes, by their names."
  type        = any
  default     = {}
  nullable    = false

${saysOnce('var.nodes', 'node', ['nodeName', 'cluster'])}}

${commented(`images = map(${hclType(image, '', ['name', 'cluster'])})`)}
variable "images" {
  description = "Images that are made ready as templates, by the name that machines give as image.machine. All of it must be known at plan."
  type        = any
  default     = {}
  nullable    = false

  validation {
    condition     = length(setintersection(keys(var.images), ${IDS})) == 0
    error_message = "An image has the name of a machine: \${join(", ", setintersection(keys(var.images), ${IDS}))}. Give one of both another."
  }
${saysOnce('var.images', 'image', ['name', 'cluster'])}}

${commented(`snapshots = map(map(${hclType(snapshot, '', ['machine', 'name'])}))`)}
variable "snapshots" {
  description = "Snapshots by machine, then by name. One is taken once, when its machine is as wanted, and deleted when it leaves."
  type        = any
  default     = {}
  nullable    = false

  validation {
    condition     = length(setsubtract(keys(var.snapshots), ${IDS})) == 0
    error_message = "Snapshots are of machines that the call does not have: \${join(", ", setsubtract(keys(var.snapshots), ${IDS}))}. Remove them, or give the machines."
  }
${saysOnce('flatten([for all in var.snapshots : values(all)])', 'snapshot', ['machine', 'name'])}}
`;
}

/** An entry that is null says nothing, and one that repeats its key could say another one. */
const saysOnce = (entries: string, what: string, keys: readonly string[]): string => `  validation {
    condition     = alltrue([for x in ${entries} : x != null])
    error_message = "An entry is null. Leave it out, or say {} where the ${what} has nothing more to say."
  }
  validation {
    condition     = alltrue([for x in ${entries} : length(setintersection(try(keys(x), []), ${JSON.stringify(keys).replace(',', ', ')})) == 0])
    error_message = "A ${what} says ${keys
      .map(key => `"${key}"`)
      .join(' or ')
      .replaceAll('"', String.raw`\"`)} itself: its key and the call say that. Remove it."
  }
`;
