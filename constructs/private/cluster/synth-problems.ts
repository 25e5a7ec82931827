import { formatProblems, parseDesiredState } from '../../../spec';
import type { ClusterView } from '../calls/cluster-view';
import { desiredState } from './desired-state-file';
import type { Member } from '../calls/machine-view';
import { resolved } from '../tokens/resolved';

/** What can only be checked when the program has said everything. Each problem names where in the program it stands. */
export function stateProblems(cluster: ClusterView): string[] {
  const loops = cluster.members.filter(member => readsLoop(cluster, member));
  return [...loops.map(({ path }) => `${path}: ${LOOP_REMEDY}`), ...contradictions(cluster)];
}

const LOOP = /\b(?:each\.(?:key|value)|count\.index)\b/;
const LOOP_REMEDY =
  'it reads the value of a Terraform loop (TerraformIterator, TerraformCount), which a machine cannot be in: its id is part of addresses. Write a loop in TypeScript, one Machine for each.';

function readsLoop({ stack }: ClusterView, member: Member): boolean {
  return member.spec().tokens.some(token => LOOP.test(JSON.stringify(resolved(stack, token))));
}

/** What the machines of a cluster cannot have together: an address, a MAC address, a vmid or an id twice. */
function contradictions(cluster: ClusterView): string[] {
  const parsed = parseDesiredState(desiredState(cluster));
  if (parsed.ok || parsed.deferred) return [];
  return parsed.problems
    .filter(({ kind }) => kind !== 'unknown-value')
    .map(problem => `${placeOf(cluster, problem.path)}${formatProblems([problem])}`);
}

function placeOf(cluster: ClusterView, path: string): string {
  const [, id] = /^machines\[([^\]]+)\]/.exec(path) ?? [];
  const member = cluster.members.find(machine => machine.id === id);
  return member === undefined ? '' : `${member.path}: `;
}
