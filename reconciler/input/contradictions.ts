import { SPEC_VERSION, formatProblems, parseDesiredState, type ClusterSpec, type Problem } from '../../spec';

/** What contradicts between the machines of one query, as JSON, by machine. What is wrong with one alone is told elsewhere. */
export function contradictions(
  machines: readonly unknown[],
  owner: string,
  cluster: ClusterSpec,
): Map<string, string> {
  const state = parseDesiredState({ version: SPEC_VERSION, owner, cluster, machines });
  const byMachine = new Map<string, Problem[]>();
  for (const problem of state.ok ? [] : state.problems) {
    const id = /^machines\[([^\]]+)\]/.exec(problem.path)?.[1];
    if (problem.kind !== 'conflict' || id === undefined) continue;
    byMachine.set(id, [...(byMachine.get(id) ?? []), problem]);
  }
  return new Map([...byMachine].map(([id, problems]) => [id, formatProblems(problems)]));
}
