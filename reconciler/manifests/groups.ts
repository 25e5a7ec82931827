import { parseDesiredState, SPEC_VERSION, type DesiredState, type Path, type Problem } from '../../spec';
import type { Cluster } from './clusters';
import type { SpecPart } from './draft-of';
import type { Manifest } from './read/manifest';
import type { Problems } from './read/problems';
import type { Subject, Subjects } from './status';

type Json = Record<string, unknown>;

/** A part of a desired state, as JSON of the spec. */
export interface SpecPartJson extends SpecPart {
  json: Json;
}

/** What one namespace wants of one cluster. */
export interface Group {
  owner: string;
  namespace: string;
  clusterName: string;
  cluster: Cluster | undefined;
  nodes: SpecPartJson[];
  machines: SpecPartJson[];
  snapshots: SpecPartJson[];
}

/** The desired state of a group; undefined where it is wrong, which is reported at the places that said so. */
export function stateOf(group: Group, problems: Problems): DesiredState | undefined {
  const { owner, clusterName, cluster, nodes, machines, snapshots } = group;
  const jsons = (list: SpecPartJson[]): Json[] => list.map(({ json }) => json);
  const parsed = parseDesiredState({
    version: SPEC_VERSION,
    owner,
    cluster: cluster?.draft.json ?? { name: clusterName },
    ...(nodes.length > 0 && { nodes: jsons(nodes) }),
    machines: jsons(machines),
    ...(snapshots.length > 0 && { snapshots: jsons(snapshots) }),
  });
  if (parsed.ok) return parsed.value;
  parsed.problems.forEach(problem => tell(group, problem, problems));
  return undefined;
}

/** The manifest that said what stands at a path of the desired state, and where in it. */
export function saidAt(group: Group, [field, ...rest]: Path): { part: SpecPart; path: Path } | undefined {
  if (field === 'cluster' && group.cluster !== undefined)
    return { part: group.cluster, path: group.cluster.draft.sourceOf(rest) };
  const lists = { nodes: group.nodes, machines: group.machines, snapshots: group.snapshots };
  const list = field === 'nodes' || field === 'machines' || field === 'snapshots' ? lists[field] : [];
  // what is said of a whole list is said where it begins
  const [index = 0, ...inner] = rest;
  const part = list[Number(index)];
  return part && { part, path: rest.length === 0 ? ['metadata', 'name'] : part.draft.sourceOf(inner) };
}

/** The manifests of a group, by what they want. `isFirst`: the cluster and its nodes are told of here. */
export function subjectsOf({ cluster, nodes, machines }: Group, isFirst: boolean): Subjects {
  return {
    machines: new Map(machines.map(({ manifest }) => [manifest.name, subjectOf(manifest)])),
    cluster: isFirst && cluster ? subjectOf(cluster.manifest) : undefined,
    nodes: new Map(
      (isFirst ? nodes : []).map(({ manifest, json }) => [String(json['nodeName']), subjectOf(manifest)]),
    ),
  };
}

function subjectOf({ apiVersion, kind, name, namespace }: Manifest): Subject {
  return { apiVersion, kind, metadata: { name, namespace } };
}

function tell(group: Group, problem: Problem, problems: Problems): void {
  const said = saidAt(group, problem.at);
  if (said !== undefined) problems.tell(said.part.manifest, { ...problem, at: said.path });
  else problems.say(`cluster ${group.clusterName}`, `${problem.path}: ${problem.reason}. ${problem.remedy}`);
}
