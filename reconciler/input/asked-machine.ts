import type { ClusterSpec, MachineSpec, QueriedMachine } from '../../spec';
import { formatProblems, parseMachine } from '../../spec';
import { InputError } from '../errors';
import { readJson } from './read-json';

/** A machine of a query, read once. */
export interface AskedMachine {
  id: string;
  entry: string | undefined;
  /** Whether somebody reads its addresses. */
  readsAddress: boolean;
  /** Undefined: its text is no JSON. */
  json: unknown;
  spec?: MachineSpec;
  /** What is wrong, or not known yet, where there is no spec. */
  problems: string;
  isDeferred: boolean;
}

export function readAsked({ spec: text, ...asked }: QueriedMachine, cluster: ClusterSpec): AskedMachine {
  try {
    const json = readJson(text, 'the spec');
    return { ...asked, json, ...specIn(json, cluster) };
  } catch (error) {
    if (error instanceof InputError)
      return { ...asked, json: undefined, problems: error.message, isDeferred: false };
    throw error;
  }
}

function specIn(json: unknown, cluster: ClusterSpec): Pick<AskedMachine, 'spec' | 'problems' | 'isDeferred'> {
  const parsed = parseMachine(json, cluster);
  if (parsed.ok) return { spec: parsed.value, problems: '', isDeferred: false };
  return { problems: formatProblems(parsed.problems), isDeferred: parsed.deferred };
}
