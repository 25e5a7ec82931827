import { commented, hclType } from './hcl-type';
import type { Schema } from './field-kinds';

/** The variable of guests that are there and are only read. */
export function existingVariable(existing: Schema): string {
  return `${commented(`existing = map(${hclType(existing, '', ['id'])})`)}
variable "existing" {
  description = "Guests that are there and stay somebody else's, by what the output existing calls them: they are only read."
  type        = any
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for x in var.existing : x != null])
    error_message = "An entry is null: \${join(", ", [for id, x in var.existing : id if x == null])}. Leave it out, or say which guest is meant, such as { vmid = 100 }."
  }
  validation {
    condition     = alltrue([for x in var.existing : !contains(try(keys(x), []), "id")])
    error_message = "An existing guest says \\"id\\" itself: its key says that. Remove it, or give \\"vmid\\"."
  }
}
`;
}

/** What reads them: a data source each, and a warning where an address is not known. */
export const EXISTING_TF = `# Guests that stay somebody else's: one process each reads them, at every plan. Nothing is written to them. What is wrong
# fails a plan by a condition, which lets a destroy go on.
data "external" "existing" {
  for_each = { for id, x in var.existing : id => jsonencode(merge(x, { id = id })) }

  program = concat(local.program, ["facts"])
  query   = merge(local.call, { existing = each.value })

  lifecycle {
    postcondition {
      condition     = self.result.problem == ""
      error_message = "existing \${each.key}: \${self.result.problem}"
    }
  }
}

locals {
  silent = [for id, told in data.external.existing : "\${id}: \${told.result.whyNoAddress}" if told.result.whyNoAddress != ""]
}

check "existing" {
  assert {
    condition     = length(local.silent) == 0
    error_message = "no address is known of existing guests: \${join("; ", local.silent)}"
  }
}
`;

export const EXISTING_OUTPUT = `output "existing" {
  description = "What is known of the guests that are only read, by the keys of existing: an object each, or a list for allWithTag."
  value       = { for id, told in data.external.existing : id => jsondecode(told.result.outputs) }
}
`;
