import type { ZodType } from 'zod';
import { Difference, Observation } from '../../spec';
import { InputError } from '../errors';
import { readJson } from '../input/read-json';
import { runsDestroy } from './plan/entry-change';
import type { MachineParts } from './plan/machine-parts';

/** What the observer told of a machine; undefined: nothing, or only when the plan is applied. */
export type ObserverAnswer = Observation | undefined;

/** What an observer told, read by its schema. Throws for the answer of another release. */
export function asTold<T>(schema: ZodType<T>, json: unknown, what: string): T {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new InputError(
    `${what} cannot be read: it is of another release of cdktf-proxmox. Synthesize the stack again and plan again.`,
  );
}

/** What the observer told of a machine. Throws for the answer of another release. */
export function toldOf({ id, answers }: MachineParts): ObserverAnswer {
  const result = answers?.result ?? {};
  const fields = Object.entries(result).filter(
    ([key]) => key.startsWith(`${id}.`) && !key.slice(id.length + 1).includes('.'),
  );
  if (fields.length === 0) return undefined;
  const json = Object.fromEntries(fields.map(([key, value]) => [key.slice(id.length + 1), value]));
  return asTold(Observation, json, `the plan's answer about machine ${id}`);
}

/** What the observer told that the apply would change. */
export function differenceOf(told: ObserverAnswer): Difference {
  if (told === undefined || told.diff === '') return { does: [], changes: [] };
  const json = readJson(told.diff, "a difference in the plan's answers");
  return asTold(Difference, json, 'a difference in the plan');
}

/**
 * Whether the registry entry of a machine is replaced, and the apply that follows is refused for it alone: a refusal of
 * the whole plan stops Terraform before, this one comes after the destroy.
 */
export function isMadeNoMore({ parts, told }: { parts: MachineParts; told: ObserverAnswer }): boolean {
  const { entry } = parts.entryChange;
  const isAlone = (told?.alone ?? '') !== '' && told?.refusal === '';
  return entry === 'replaced' && runsDestroy(parts.entryChange) && isAlone;
}
