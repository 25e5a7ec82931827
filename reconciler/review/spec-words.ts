import { valueAt } from '../../spec';
import { readJson } from '../input/read-json';
import type { MachineParts } from './plan/machine-parts';
import { triggersOf } from './plan/triggers-of';

/** The spec of a machine as a plan holds it, as far as a review asks for it. */
export interface SpecWords {
  name: string | undefined;
  isProtected: boolean;
  /** Undefined: what the code asks for is not known. */
  formerIds: readonly unknown[] | undefined;
}

/** What the code asks for; for a machine that has left it, what was asked for when it was last applied. */
export function specWords({ id, answers, revision }: MachineParts): SpecWords {
  const asked = answers?.query[`spec.${id}`];
  const text = asked ?? triggersOf('null_resource', revision?.change.before)?.['spec'];
  const json = typeof text === 'string' ? readJson(text, 'a spec in the plan') : {};
  const name = valueAt(json, ['name']);
  const former = valueAt(json, ['formerIds']);
  const asksFor = Array.isArray(former) ? former : [];
  return {
    name: typeof name === 'string' ? name : undefined,
    isProtected: valueAt(json, ['protection']) === true,
    formerIds: asked === undefined ? undefined : asksFor,
  };
}
