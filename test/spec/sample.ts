import {
  formatProblems,
  parseCluster,
  parseDesiredState,
  parseMachine,
  type Parsed,
  type Problem,
} from '../../spec';

type Json = Record<string, unknown>;

/** A machine that parses: a test says only what it is about. */
export function machine(said: Json = {}): Json {
  return { id: 'web', image: { blank: true }, ...said };
}

function cluster(said: Json = {}): Json {
  return { name: 'lab', ...said };
}

export function state(said: Json = {}): Json {
  return { version: 1, owner: 'shop/lab/default', cluster: cluster(), machines: [machine()], ...said };
}

export function problemsIn(parsed: Parsed<unknown>): readonly Problem[] {
  return parsed.ok ? [] : parsed.problems;
}

export const machineProblems = (said: Json) => problemsIn(parseMachine(machine(said)));
export const clusterProblems = (said: Json) => problemsIn(parseCluster(cluster(said)));
export const stateProblems = (said: Json) => problemsIn(parseDesiredState(state(said)));

/** The parsed value, or a failure that shows every problem. */
export function valueOf<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(formatProblems(parsed.problems));
  return parsed.value;
}

export const parsedMachine = (said: Json) => valueOf(parseMachine(machine(said)));
export const parsedCluster = (said: Json) => valueOf(parseCluster(cluster(said)));
