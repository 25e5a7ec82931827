import type { ClusterSpec, MachineSpec, machinesOf } from '../../spec';
import { formatProblems, parseMachine } from '../../spec';
import { InputError } from '../errors';
import { readJson } from './read-json';

/** A machine of a query, read once. */
export interface AskedMachine {
  id: string;
  entry: string | undefined;
  /** Undefined: its text is no JSON. */
  json: unknown;
  spec?: MachineSpec;
  /** What is wrong, or not known yet, where there is no spec. */
  problems: string;
  isDeferred: boolean;
}

export function readAsked(
  { id, entry, spec: text }: ReturnType<typeof machinesOf>[number],
  cluster: ClusterSpec,
): AskedMachine {
  try {
    const json = readJson(text, 'the spec');
    return { id, entry, json, ...specIn(json, cluster) };
  } catch (error) {
    if (error instanceof InputError)
      return { id, entry, json: undefined, problems: error.message, isDeferred: false };
    throw error;
  }
}

function specIn(json: unknown, cluster: ClusterSpec): Pick<AskedMachine, 'spec' | 'problems' | 'isDeferred'> {
  const parsed = parseMachine(json, cluster);
  if (parsed.ok) return { spec: parsed.value, problems: '', isDeferred: false };
  return { problems: formatProblems(parsed.problems), isDeferred: parsed.deferred };
}
