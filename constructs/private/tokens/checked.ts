import { formatProblems, type Parsed } from '../../../spec';
import { SpecError } from '../../values/spec-error';
import { tokenKeys } from './keys';
import { misused } from './misused';
import { takeTokens, type Taken } from './tokens';

/** Parses what a program gave, token by token apart, or says at its construct what is wrong. */
export function checked(path: string, given: unknown, parse: (json: unknown) => Parsed<unknown>): Taken {
  refuseMisused(path, given);
  const { json, tokens } = takeTokens(given);
  const parsed = parse(json);
  if (parsed.ok || parsed.deferred) return { json: parsed.value, tokens };
  throw new SpecError(path, formatProblems(parsed.problems.filter(({ kind }) => kind !== 'unknown-value')));
}

/** The same for what may hold no token, because Terraform needs it before it can know one. */
export function literally<T>(path: string, given: unknown, parse: (json: unknown) => Parsed<T>): T {
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

function refuseMisused(path: string, given: unknown): void {
  const says = misused(given);
  if (says !== undefined) throw new SpecError(path, says);
  const fields = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  const field = fields.find(([, value]) => tokenKeys(value).length > 0)?.[0];
  if (field === undefined) return;
  throw new SpecError(
    path,
    `${field}: a key in it is a value that only Terraform knows; allowed: keys that are written. Write the key, and put the value that Terraform knows behind it.`,
  );
}
