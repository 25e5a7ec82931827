import { formatProblems, type Parsed } from '../../spec';
import { SpecError } from '../values/spec-error';
import { refuseMisused } from './tokens/misused';
import { takeTokens, type Taken } from './tokens/tokens';

/**
 * Parses what a program gave, token by token apart, or says at its construct what is wrong. What else a machine is checked
 * for: cluster/wanted-machine.ts.
 */
export function checkedProps(path: string, given: unknown, parse: (json: unknown) => Parsed<unknown>): Taken {
  refuseMisused(path, given);
  const { json, tokens } = takeTokens(given);
  const parsed = parse(json);
  if (parsed.ok || parsed.deferred) return { json: parsed.value, tokens };
  throw new SpecError(path, formatProblems(parsed.problems.filter(({ kind }) => kind !== 'unknown-value')));
}
