import type { Bindings } from './placeholder';
import { textMatches } from './placeholder';
import { isRow } from '../record/shape';
import type { Row } from '../record/shape';
import { briefAt } from './brief';

/** In what an answer is not the recorded one. */
type DifferenceKind = 'status' | 'text' | 'key' | 'type' | 'value';

export interface Difference {
  kind: DifferenceKind;
  /** Where, and how: a sentence for people. */
  says: string;
}

/** Lists how `actual` differs from `expected`; binds placeholders on the way. No differences: an empty list. */
export function differences(
  expected: unknown,
  actual: unknown,
  bindings: Bindings,
  at: string,
): Difference[] {
  if (expected === '<any>') return [];
  if (typeof expected === 'string')
    return textMatches(expected, actual, bindings) ? [] : [differ(at, expected, actual)];
  if (Array.isArray(expected)) return listDifferences(expected, actual, bindings, at);
  if (isRow(expected)) return objectDifferences(expected, actual, bindings, at);
  return expected === actual ? [] : [differ(at, expected, actual)];
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;

const TYPES: Record<string, string> = {
  null: 'null',
  list: 'a list',
  object: 'an object',
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
};

function differ(at: string, expected: unknown, actual: unknown): Difference {
  const [there, here] = [kindOf(expected), kindOf(actual)];
  // a placeholder stands for a number as well
  if (there !== here && !(there === 'string' && /^<\w+(:\w+)?>$/.test(String(expected))))
    return {
      kind: 'type',
      says: `${at}: recorded ${TYPES[there]}, ${briefAt(at, expected)}; here ${TYPES[here] ?? 'nothing'}, ${briefAt(at, actual)}`,
    };
  return {
    kind: there === 'string' ? 'text' : 'value',
    says: `${at}: recorded ${briefAt(at, expected)}, here ${briefAt(at, actual)}`,
  };
}

function objectDifferences(expected: Row, actual: unknown, bindings: Bindings, at: string): Difference[] {
  if (!isRow(actual)) return [differ(at, expected, actual)];
  const found: Difference[] = [];
  for (const key of Object.keys(expected).sort()) {
    const place = `${at}.${key}`;
    if (Object.hasOwn(actual, key)) found.push(...differences(expected[key], actual[key], bindings, place));
    else
      found.push({
        kind: 'key',
        says: `${place}: is missing; recorded was ${briefAt(place, expected[key])}`,
      });
  }
  for (const key of Object.keys(actual)) {
    const place = `${at}.${key}`;
    if (!Object.hasOwn(expected, key))
      found.push({ kind: 'key', says: `${place}: was not recorded; here ${briefAt(place, actual[key])}` });
  }
  return found;
}

const MOST_OF_ELEMENT = 4;

/** Order is not compared: each expected element must match a distinct received one. */
function listDifferences(expected: unknown[], actual: unknown, bindings: Bindings, at: string): Difference[] {
  if (!Array.isArray(actual)) return [differ(at, expected, actual)];
  if (actual.length !== expected.length) {
    const says = `${at}: recorded ${expected.length} elements, here ${actual.length}: ${briefAt(at, actual)}`;
    return [{ kind: 'value', says }];
  }
  const left: unknown[] = [...actual];
  const found: Difference[] = [];
  expected.forEach((element, index) => {
    let closest: Difference[] | undefined;
    for (const [candidate, value] of left.entries()) {
      const trial: Bindings = new Map(bindings);
      const trialDifferences = differences(element, value, trial, `${at}[${index}]`);
      if (trialDifferences.length === 0) {
        trial.forEach((bound, key) => bindings.set(key, bound));
        left.splice(candidate, 1);
        return;
      }
      if (!closest || trialDifferences.length < closest.length) closest = trialDifferences;
    }
    found.push(...(closest ?? []).slice(0, MOST_OF_ELEMENT));
  });
  return found;
}
