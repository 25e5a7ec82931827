import type { IConstruct } from 'constructs';
import { SpecError } from '../errors';
import { isToken } from './tokens';

/** The value, or an error when only Terraform knows it: ids become addresses in the stack. */
export function literalOnly<T>(construct: IConstruct, field: string, value: T): T {
  if (!isToken(value)) return value;
  throw SpecError.at(
    construct,
    `${field}: only Terraform knows this value, and it becomes part of an address in the stack. Write the value itself; for several machines write a loop in TypeScript instead of a TerraformIterator.`,
  );
}
