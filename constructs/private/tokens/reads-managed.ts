import { TerraformDataSource, TerraformLocal, type TerraformStack } from 'cdktf';
import { ExternalData } from '../stack/external-data';
import { resolved } from './resolved';

// What Terraform always knows when it plans.
const KNOWN = ['var', 'path', 'terraform'];

const NAME = /(?<![\w.\]])[A-Za-z_][\w-]*(?:\.[\w-]+)+/g;

/**
 * True when one of these values may be unknown while Terraform plans: it reads a resource or a module, or a data
 * source or local that does. When in doubt it is true: the machine then only gets an observer of its own.
 */
export function readsManaged(
  stack: TerraformStack,
  values: readonly unknown[],
  seen = new Set<string>(),
): boolean {
  const text = JSON.stringify(values.map((value): unknown => resolved(stack, value)));
  return references(text).some(reference => {
    if (seen.has(reference) || KNOWN.some(known => reference.startsWith(`${known}.`))) return false;
    if (!/^(?:data|local)\./.test(reference)) return true;
    seen.add(reference);
    const [element] = stack.node.findAll().filter(node => addressOf(node) === reference);
    if (element instanceof TerraformLocal) return readsManaged(stack, [element.toTerraform()], seen);
    // the path of its program would be taken for a name
    if (element instanceof ExternalData && element.reads !== undefined)
      return readsManaged(stack, element.reads, seen);
    if (!(element instanceof TerraformDataSource)) return true;
    return (element.dependsOn ?? []).length > 0 || readsManaged(stack, [element.toTerraform()], seen);
  });
}

/** The addresses that the interpolations of a JSON text may read. A name in a string literal counts: it may be one. */
function references(json: string): string[] {
  const names = json
    .split(/(?<!\$)\$\{/)
    .slice(1)
    .flatMap(text => text.match(NAME) ?? []);
  return names.map(name => name.split('.', name.startsWith('data.') ? 3 : 2).join('.'));
}

function addressOf(node: object): string | undefined {
  if (node instanceof TerraformLocal) return `local.${node.friendlyUniqueId}`;
  if (node instanceof TerraformDataSource)
    return `data.${node.terraformResourceType}.${node.friendlyUniqueId}`;
  return undefined;
}
