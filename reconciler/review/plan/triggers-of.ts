import { isRecord } from '../../../spec';

/** What a resource is replaced by: null where it says nothing, undefined where the plan does not tell. */
export function triggersOf(
  type: string,
  values: Readonly<Record<string, unknown>> | null | undefined,
): Readonly<Record<string, unknown>> | null | undefined {
  const triggers = values?.[type === 'terraform_data' ? 'triggers_replace' : 'triggers'];
  if (triggers === undefined) return undefined;
  return isRecord(triggers) ? triggers : null;
}
