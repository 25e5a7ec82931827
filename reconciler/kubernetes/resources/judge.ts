import { formatPath, isRecord, type DesiredState, type MachineSpec } from '../../../spec';
import { accessTo } from '../../config/cluster-access';
import type { Environment } from '../../config/cluster-variables';
import { InputError } from '../../errors';
import { statesOfDocuments, type DocumentsGiven, type DocumentStates } from '../../input/manifest-states';
import { mayUse, type Apart, type Document } from '../../manifests';
import { clustersByName } from './clusters';
import { isNamedBy, namesCluster, referencesOf } from './references';
import { isPaused, titleOf, type Resource } from './resource';

/** Why a resource counts for nothing now, as its condition says it. */
export interface Fault {
  reason: 'InvalidSpec' | 'DependencyInvalid' | 'ClusterUnusable' | 'NotHeld' | 'OtherProxmox';
  message: string;
}

/** A machine that is wanted rightly. */
export interface JudgedMachine {
  resource: Resource;
  spec: MachineSpec;
  state: DesiredState;
}

/** All resources, judged. */
export interface Judged {
  states: DesiredState[];
  environment: Environment;
  machines: JudgedMachine[];
  /** By uid. */
  faults: ReadonlyMap<string, Fault>;
  /** The resource of each cluster, by name: also one that is wrong. */
  clusters: ReadonlyMap<string, Resource>;
  apart: Apart;
  /** What is wrong, and is no resource's. */
  atLarge: string[];
}

/** `whyNoSecret`: why one of those that a resource names could not be read. */
export type JudgeInput = DocumentsGiven & {
  apart: Apart;
  whyNoSecret: (resource: Resource) => string | undefined;
};

/**
 * Reads all resources as manifests are read. One that is wrong counts for nothing, and so do those that name it; the
 * others are as good as before.
 */
export async function judge(resources: readonly Resource[], given: JudgeInput): Promise<Judged> {
  const faults = new Map<string, Fault>();
  const { apart } = given;
  const clusters = clustersByName(resources, apart);
  const about = { faults, clusters, apart };
  let left = without(resources, seconds(resources, clusters), about);
  let read = await readAll(left, given);
  while (read.faults.length > 0) {
    const wrong = attributed(read.faults, left, given);
    if (wrong.size === 0) return nothing(read, about);
    left = without(left, wrong, about);
    read = await readAll(left, given);
  }
  const unusable = unusableClusters(read);
  if (unusable.size === 0) return judgedOf(read, left, about);
  return judgedOf(withoutClusters(read, unusable, left, faults), left, about);
}

interface About {
  faults: Map<string, Fault>;
  clusters: ReadonlyMap<string, Resource>;
  apart: Apart;
}

/** Clusters whose name another one has. */
function seconds(
  resources: readonly Resource[],
  clusters: ReadonlyMap<string, Resource>,
): Map<string, Fault> {
  const wrong = new Map<string, Fault>();
  for (const { kind, name, uid } of resources) {
    const first = kind.role === 'cluster' ? clusters.get(name) : undefined;
    if (first === undefined || first.uid === uid) continue;
    const message = `metadata.name: is given twice, also at ${titleOf(first)}: one name is one cluster in all namespaces. Give it another name.`;
    wrong.set(uid, { reason: 'InvalidSpec', message });
  }
  return wrong;
}

function readAll(resources: readonly Resource[], given: JudgeInput): Promise<DocumentStates> {
  return statesOfDocuments(resources.map(documentOf), given);
}

function documentOf(resource: Resource): Document {
  const title = titleOf(resource);
  return { name: title, json: withPause(resource, withPowerWord(resource.json)), placeOf: () => title };
}

function withPause(resource: Resource, json: Resource['json']): Resource['json'] {
  if (resource.kind.role !== 'machine' || !isPaused(resource)) return json;
  return { ...json, spec: { ...(isRecord(json['spec']) && json['spec']), mode: 'paused' } };
}

/** kubectl reads the YAML of old, where `On` without quotes is true. */
function withPowerWord(json: Resource['json']): Resource['json'] {
  const { spec } = json;
  if (!isRecord(spec) || typeof spec['powerState'] !== 'boolean') return json;
  return { ...json, spec: { ...spec, powerState: spec['powerState'] ? 'On' : 'Off' } };
}

/** What is wrong with each resource, by uid. A fault of a cluster as a whole is one of its document. */
function attributed(
  faults: readonly string[],
  resources: readonly Resource[],
  { whyNoSecret }: JudgeInput,
): Map<string, Fault> {
  const wrong = new Map<string, Fault>();
  for (const fault of faults) {
    const guilty = resources.filter(each => isAbout(fault, each));
    for (const resource of guilty) {
      const text = whyNoSecret(resource) ?? fault.replace(`${titleOf(resource)}: `, '');
      const before = wrong.get(resource.uid)?.message;
      wrong.set(resource.uid, {
        reason: 'InvalidSpec',
        message: before === undefined ? text : `${before}\n${text}`,
      });
    }
  }
  return wrong;
}

function isAbout(fault: string, resource: Resource): boolean {
  if (fault.startsWith(`${titleOf(resource)}: `)) return true;
  return resource.kind.role === 'cluster' && fault.startsWith(`cluster ${resource.name}: `);
}

/** Those that are left, once the wrong ones and all that name them are taken out. */
function without(
  resources: readonly Resource[],
  wrong: ReadonlyMap<string, Fault>,
  { faults, apart }: About,
): Resource[] {
  for (const [uid, fault] of wrong) faults.set(uid, fault);
  const bad = resources.filter(({ uid }) => wrong.has(uid));
  let left = resources.filter(({ uid }) => !wrong.has(uid));
  for (let next = bad.shift(); next !== undefined; next = bad.shift()) {
    const named = next;
    const spoiled = left.flatMap(each => {
      const why = spoiledBy(each, named, apart);
      return why === undefined ? [] : [{ each, why }];
    });
    for (const { each, why } of spoiled) faults.set(each.uid, { reason: 'DependencyInvalid', message: why });
    left = left.filter(each => !spoiled.some(other => other.each === each));
    bad.push(...spoiled.map(({ each }) => each));
  }
  return left;
}

/** Why a resource cannot be used without one that is wrong; undefined: it can. */
function spoiledBy(resource: Resource, wrong: Resource, apart: Apart): string | undefined {
  const reference = referencesOf(resource).find(each => isNamedBy(each, wrong, apart));
  if (reference !== undefined)
    return `${formatPath(reference.path, resource.json)} names ${titleOf(wrong)}, which is wrong: its condition says why. Nothing is done until it is mended.`;
  // without it the machine would go to another cluster, or be looked for there
  const losesItsCluster =
    wrong.kind.role === 'cluster' &&
    resource.kind.role === 'machine' &&
    !namesCluster(resource) &&
    mayUse(resource.namespace, wrong, apart);
  if (!losesItsCluster) return undefined;
  return `names no cluster, and ${titleOf(wrong)} is wrong. Name the cluster in spec.cluster, or mend that one.`;
}

/** Why each cluster cannot be reached as it is configured, by name. */
function unusableClusters({ states, environment }: DocumentStates): Map<string, string> {
  const clusters = states.map(({ cluster }) => cluster);
  const unusable = new Map<string, string>();
  try {
    accessTo(clusters, environment);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const lines = error.message.split('\n');
    for (const { name } of clusters) {
      const own = lines.filter(line => clusters.length === 1 || isOfCluster(line, name));
      if (own.length > 0) unusable.set(name, own.join('\n'));
    }
    // a fault of the environment is everybody's
    if (unusable.size === 0) clusters.forEach(({ name }) => unusable.set(name, error.message));
  }
  return unusable;
}

/** By what we wrote ourselves: the rest of a line may hold what somebody else wrote. */
function isOfCluster(line: string, name: string): boolean {
  return line.startsWith(`${name}: `) || (line.startsWith("clusters '") && line.includes(`'${name}'`));
}

function withoutClusters(
  read: DocumentStates,
  unusable: ReadonlyMap<string, string>,
  resources: readonly Resource[],
  faults: Map<string, Fault>,
): DocumentStates {
  for (const resource of resources) {
    const why = resource.kind.role === 'cluster' ? unusable.get(resource.name) : undefined;
    if (why !== undefined) faults.set(resource.uid, { reason: 'ClusterUnusable', message: why });
  }
  const states = read.states.filter(({ cluster }) => !unusable.has(cluster.name));
  for (const { resource, state } of machinesIn(read, resources)) {
    const why = unusable.get(state.cluster.name);
    const message = `cluster ${state.cluster.name} cannot be used: ${why}`;
    if (why !== undefined) faults.set(resource.uid, { reason: 'ClusterUnusable', message });
  }
  return { ...read, states };
}

function judgedOf(read: DocumentStates, resources: readonly Resource[], about: About): Judged {
  const { states, environment } = read;
  return { ...about, states, environment, machines: machinesIn(read, resources), atLarge: [] };
}

function nothing({ environment, faults: atLarge }: DocumentStates, about: About): Judged {
  return { ...about, states: [], environment, machines: [], atLarge };
}

/** The machines of the states that are used, each with the resource that wants it. */
function machinesIn({ states, said }: DocumentStates, resources: readonly Resource[]): JudgedMachine[] {
  const byTitle = new Map(resources.map(resource => [titleOf(resource), resource]));
  return said.wanted.flatMap(({ state, documents }) => {
    if (!states.includes(state)) return [];
    return state.machines.flatMap(spec => {
      const resource = byTitle.get(documents.get(spec.id)?.name ?? '');
      return resource === undefined ? [] : [{ resource, spec, state }];
    });
  });
}
