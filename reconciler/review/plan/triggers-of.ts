import { isRecord } from '../../../spec';

/** What a resource is before a change, or after it. */
export type Values = Readonly<Record<string, unknown>> | null | undefined;

/** What a resource is replaced by: null where it says nothing, undefined where the plan does not tell. */
export function triggersOf(
  type: string,
  values: Values,
): Readonly<Record<string, unknown>> | null | undefined {
  const triggers = values?.[type === 'terraform_data' ? 'triggers_replace' : 'triggers'];
  if (triggers === undefined) return undefined;
  return isRecord(triggers) ? triggers : null;
}

/** Whether a resource has this trigger. Terraform tells none of one whose triggers are not known yet: that may have it. */
export function hasTrigger(type: string, values: readonly Values[], name: string): boolean {
  const triggers = values.map(one => triggersOf(type, one)).find(told => told !== undefined);
  return triggers === undefined || (triggers !== null && name in triggers);
}
