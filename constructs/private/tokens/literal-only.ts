import type { IConstruct } from 'constructs';
import { formatProblems, type Parsed } from '../../../spec';
import { SpecError } from '../../values/spec-error';
import { refuseMisused } from './misused';
import { takeTokens } from './tokens';

/** The value, or an error when only Terraform knows it or a part of it: ids become addresses in the stack. */
export function literalOnly<T>(construct: IConstruct, field: string, value: T): T {
  if (takeTokens(value).tokens.length === 0) return value;
  throw SpecError.at(
    construct,
    `${field}: only Terraform knows this value, and addresses in the stack and a destroy need it before. Write the value itself; for several machines write a loop in TypeScript instead of a TerraformIterator.`,
  );
}

/** Parses what a program gave where nothing may be a token: Terraform needs it before it can know one. */
export function literalProps<T>(path: string, given: unknown, parse: (json: unknown) => Parsed<T>): T {
  refuseMisused(path, given);
  const { json, tokens } = takeTokens(given);
  const parsed = parse(json);
  if (parsed.ok) return parsed.value;
  if (tokens.length === 0) throw new SpecError(path, formatProblems(parsed.problems));
  const places = parsed.problems.filter(({ kind }) => kind === 'unknown-value').map(problem => problem.path);
  throw new SpecError(
    path,
    `${places.join(', ')}: only Terraform knows this value, and a destroy may name nothing that is not written in the stack. Write the value itself, or leave it to the runner's environment (PVE_ENDPOINT, …).`,
  );
}
