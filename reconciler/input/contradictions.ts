import type { ClusterSpec, machinesOf } from '../../spec';
import { SPEC_VERSION, formatProblems, parseDesiredState } from '../../spec';
import type { Problem } from '../../spec';
import { InputError } from '../errors';
import { readJson } from './read-json';

/** What contradicts between the machines of one query, by machine. What is wrong with one alone is told elsewhere. */
export function contradictions(
  asked: ReturnType<typeof machinesOf>,
  owner: string,
  cluster: ClusterSpec,
): Map<string, string> {
  const machines = asked.flatMap(({ spec }) => parsed(spec));
  const state = parseDesiredState({ version: SPEC_VERSION, owner, cluster, machines });
  const byMachine = new Map<string, Problem[]>();
  for (const problem of state.ok ? [] : state.problems) {
    const id = /^machines\[([^\]]+)\]/.exec(problem.path)?.[1];
    if (problem.kind !== 'conflict' || id === undefined) continue;
    byMachine.set(id, [...(byMachine.get(id) ?? []), problem]);
  }
  return new Map([...byMachine].map(([id, problems]) => [id, formatProblems(problems)]));
}

function parsed(spec: string): unknown[] {
  try {
    return [readJson(spec, 'the spec')];
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}
