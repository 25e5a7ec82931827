import { Fn, ref, TerraformLocal, TerraformVariable, Token, type TerraformStack } from 'cdktf';
import { Resource } from '@cdktf/provider-null/lib/resource';
import { DataNullDataSource } from '@cdktf/provider-null/lib/data-null-data-source';
import { Image, Machine } from '../../constructs';
import { synthesized } from '../support/constructs/synthesized';

const other = (stack: TerraformStack): string => new Resource(stack, 'other').id;
const variable = (stack: TerraformStack): string => new TerraformVariable(stack, 'given', {}).stringValue;

/** Whether a machine with this description has an observer of its own, and whether its apply may be one that no plan has shown. */
function isAlone(description: (stack: TerraformStack) => string): boolean {
  const { data, text } = synthesized(
    stack => void new Machine(stack, 'web', { image: Image.blank(), description: description(stack) }),
  );
  const isOwn = 'observe_lab_web' in data();
  expect(text.includes('PROXMOX_UNSHOWN')).toBe(isOwn);
  return isOwn;
}

test.each<[string, boolean, (stack: TerraformStack) => string]>([
  ['a literal', false, () => 'as it is: ${null_resource.other.id}'],
  ['a variable', false, variable],
  ['a resource', true, other],
  ['text with a resource in a function', true, stack => Fn.upper(`host-${other(stack)}`)],
  ['a resource inside a nested object', true, stack => Fn.jsonencode({ a: { b: { c: other(stack) } } })],
  ['a local of a variable', false, stack => new TerraformLocal(stack, 'l', variable(stack)).asString],
  ['a local of a resource', true, stack => new TerraformLocal(stack, 'l', other(stack)).asString],
  ['a data source that reads a variable', false, stack => dataSource(stack, variable(stack))],
  ['a data source that reads a resource', true, stack => dataSource(stack, other(stack))],
  ['an output of another machine', true, stack => new Machine(stack, 'db', { image: Image.blank() }).uuid],
  ['a module', true, stack => Token.asString(ref('module.other.id', stack))],
])('%s: alone %s', (_, alone, description) => {
  expect(isAlone(description)).toBe(alone);
});

function dataSource(stack: TerraformStack, input: string): string {
  return new DataNullDataSource(stack, 'data', { inputs: { input } }).id;
}
