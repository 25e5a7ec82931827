import type { IConstruct } from 'constructs';
import { SpecError } from '../../values/spec-error';
import { takeTokens } from './tokens';

/** The value, or an error when only Terraform knows it or a part of it: ids become addresses in the stack. */
export function literalOnly<T>(construct: IConstruct, field: string, value: T): T {
  if (takeTokens(value).tokens.length === 0) return value;
  throw SpecError.at(
    construct,
    `${field}: only Terraform knows this value, and addresses in the stack and a destroy need it before. Write the value itself; for several machines write a loop in TypeScript instead of a TerraformIterator.`,
  );
}
