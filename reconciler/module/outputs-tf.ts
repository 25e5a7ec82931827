import { EXISTING_OUTPUT } from './existing-tf';
import { fieldsOf, type Schema } from './field-kinds';

// What changes by itself, or comes some time after the machine: a plan would not come to rest.
const RESTLESS = ['conditions', 'lastUpdated'];
// The same, unless creating the machine waited for it.
const AWAITED = 'ipAddresses';
// What a machine may say itself: its facts are unknown in a plan that changes it.
const SAID = ['vmid', 'name'];
const FIRST_ADDRESS = 'primaryIpAddress';

/** The names of what is told of a machine. */
export function outputNames(outputs: Schema): string[] {
  return fieldsOf(outputs)
    .map(([name]) => name)
    .filter(name => !RESTLESS.includes(name))
    .flatMap(name => (name === AWAITED ? [FIRST_ADDRESS, name] : [name]));
}

/** What the module tells of each machine. */
export function outputsTf(outputs: Schema): string {
  const names = outputNames(outputs);
  const width = Math.max(...names.map(name => name.length));
  const fields = names.map(name => `      ${name.padEnd(width)} = ${valueOf(name)}\n`);
  return `output "machines" {
  description = "What is known of each machine whose facts are read, by id."
  value = {
    for id, facts in data.external.facts : id => {
${fields.join('')}    }
  }
}

output "facts" {
  description = "The same, and more, as the reconciler tells it: JSON texts by name, by id. Some change by themselves."
  value       = { for id, facts in data.external.facts : id => facts.result }
}

output "revisions" {
  description = "Changes when a machine was changed, by id: something for others to wait for."
  value       = local.revisions
}

${EXISTING_OUTPUT}`;
}

// Not a choice between a list and null: that null would carry the type of the list, and differ when that one does.
function valueOf(name: string): string {
  const text = `lookup(facts.result, "${name}", "null")`;
  if (SAID.includes(name)) return saidOr(name, `jsondecode(${text})`);
  if (name === FIRST_ADDRESS) return saidOr('address', 'local.first_address[id]');
  return `jsondecode(${name === AWAITED ? `local.awaited[id] ? ${text} : "null"` : text})`;
}

const saidOr = (name: string, fact: string): string =>
  `local.said[id].${name} == null ? ${fact} : local.said[id].${name}`;
