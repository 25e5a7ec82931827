import { parseExisting, type ExistingResult, type ExistingSpec } from '../../spec';
import { remedyText } from '../action';
import { readJson } from '../input/read-json';
import { valueOf } from '../input/wire-input';
import { blankOutputs } from '../outputs/existing';
import { oneLine, visibleTexts } from '../report/visible';
import { readExisting } from '../run/reads/existing-guests';
import type { Run } from '../run/run';

/** Which guests a query asks for that stay somebody else's. */
export function existingOf(text: string): ExistingSpec {
  return valueOf(parseExisting(readJson(text, 'existing')));
}

/**
 * What Terraform reads of guests that stay somebody else's. That there are none is reported and is no failure: Terraform
 * fails a plan with it, and lets a destroy go on.
 */
export async function existingFacts(run: Run, wanted: ExistingSpec): Promise<ExistingResult> {
  const told = await readExisting(run, wanted);
  const isList = wanted.allWithTag !== undefined;
  if ('objection' in told) {
    const { detail } = told.objection;
    const outputs = JSON.stringify(isList ? [] : blankOutputs(wanted));
    return { outputs, problem: oneLine(`${detail} ${remedyText(told.objection)}`), whyNoAddress: '' };
  }
  const outputs: unknown = visibleTexts(isList ? told.guests : told.guests[0]);
  const missing = told.guests.flatMap(({ whyNoAddress }) => whyNoAddress ?? []);
  return { outputs: JSON.stringify(outputs), problem: '', whyNoAddress: oneLine(missing.join('; ')) };
}
