import type * as z from 'zod';
import { ImageSpec, sourceIds } from '../../../spec';
import { saidInHcl } from './spec-text';
import { Fleet, Query, Registry, Revision, type Json, type StackJson } from './stack-shapes';

/** What a stack says of one machine. */
export interface StackMachine {
  id: string;
  /** The text of its spec, with what only Terraform knows as expressions. */
  spec: string;
  isTemplate: boolean;
  /** Its spec holds what is known only at apply: it is observed alone. */
  isAlone: boolean;
  /** Its outputs are read. */
  hasFacts: boolean;
  readsAddress: boolean;
  /** The revisions of the machines that it may be cloned from, as addresses. */
  sources: readonly string[];
  /** What else it is made after, as addresses. */
  after: readonly string[];
}

/** What a stack says of one cluster. */
export interface StackCluster {
  name: string;
  owner: string;
  /** JSON text. */
  cluster: string;
  protocol: string | undefined;
  nodes: readonly Json[];
  machines: readonly StackMachine[];
  /** The texts of snapshots by `<machine>.<name>`. */
  snapshots: ReadonlyMap<string, string>;
  /** The addresses of all that is of this cluster and becomes the module: `null_resource.machines_lab` and so on. */
  own: ReadonlySet<string>;
}

/** The clusters of a stack, and why some of it cannot be a call of the module. */
export function clustersOf(stack: StackJson): { clusters: StackCluster[]; reasons: string[] } {
  const reasons: string[] = [];
  const resources = stack.resource['null_resource'] ?? {};
  const clusters = Object.keys(resources).flatMap(resource => {
    const name = /^machines_([^_]+)$/.exec(resource)?.[1];
    return name === undefined ? [] : clusterOf(name, stack, reasons);
  });
  return { clusters, reasons };
}

function clusterOf(name: string, stack: StackJson, reasons: string[]): StackCluster[] {
  const resources = stack.resource['null_resource'] ?? {};
  const data = stack.data['external'] ?? {};
  const read = <T>(schema: z.ZodType<T>, resource: string): T | undefined =>
    parsed(schema, resources[resource], `null_resource.${resource}`, reasons);
  const registry = read(Registry, `machines_${name}`);
  if (registry === undefined) return [];
  const snapshotEntries = `snapshots_${name}`;
  if (snapshotEntries in resources) read(Registry, snapshotEntries);
  const { environment } = registry.provisioner[0]['local-exec'];
  const machines: StackMachine[] = [];
  const snapshots = new Map<string, string>();
  const own = new Set([`machines_${name}`, snapshotEntries].map(one => `null_resource.${one}`));
  own.add(`data.external.observe_${name}`).add(`check.observe_${name}`);
  localsOf(name).forEach(one => own.add(`local.${one}`));
  const nodes = nodesOf(queryOf(data[`observe_${name}`])['fleet']);
  for (const resource of Object.keys(resources)) {
    const [, part, id = '', of = ''] = /^(machine|snapshot)_[^_]+_([^_]+)(?:_(.+))?$/.exec(resource) ?? [];
    const revision = resource.startsWith(`${part ?? '-'}_${name}_`) ? read(Revision, resource) : undefined;
    if (revision === undefined) continue;
    own.add(`null_resource.${resource}`);
    if (part === 'snapshot') {
      snapshots.set(`${id}.${of}`, revision.triggers.spec);
      reasons.push(...lateSnapshot(`${id}.${of}`, revision, `null_resource.machine_${name}_${id}`));
      continue;
    }
    dataOf(name, id).forEach(one => own.add(`data.external.${one}`).add(`check.${one}`));
    own.add(`check.${resource}`);
    machines.push(machineOf(id, revision, { data, name }));
  }
  const { PROXMOX_CLUSTER: cluster = '{}', PROXMOX_PROTOCOL: protocol } = environment;
  const owner = registry.triggers['owner'] ?? '';
  return [{ name, owner, cluster, protocol, nodes, machines, snapshots, own }];
}

const localsOf = (cluster: string): string[] => [
  ...['elsewhere', 'moved', 'observed'].map(part => `${part}_${cluster}`),
  ...['machines', 'snapshots'].flatMap(registry => [
    `ids_${registry}_${cluster}`,
    `entries_${registry}_${cluster}`,
  ]),
];

/** What is read of a machine: its outputs, and how it stands where it is observed alone. */
const dataOf = (cluster: string, id: string): string[] => [
  `facts_${cluster}_${id}`,
  `observe_${cluster}_${id}`,
];

function machineOf(
  id: string,
  { triggers: { spec }, provisioner, depends_on: before = [] }: Revision,
  { data, name }: { data: Json; name: string },
): StackMachine {
  const [facts = '', alone = ''] = dataOf(name, id);
  const named = sourcesIn(spec).map(source => `null_resource.machine_${name}_${source}`);
  return {
    id,
    spec,
    isTemplate: spec.startsWith('{"asTemplate":true,') && before.length === 0,
    isAlone: alone in data,
    hasFacts: facts in data,
    readsAddress: 'PROXMOX_READS' in provisioner[0]['local-exec'].environment,
    sources: before.filter(address => named.includes(address)),
    // the entries of its own cluster are made before it in the module, too
    after: before.filter(address => !named.includes(address) && address !== `null_resource.machines_${name}`),
  };
}

const NAMED = ImageSpec.pick({ machine: true, replicas: true }).strip();

/** The machines that its image names. */
function sourcesIn(spec: string): string[] {
  const named = NAMED.safeParse(saidInHcl(spec).fields?.['image']);
  return named.success ? sourceIds(named.data) : [];
}

/** The module takes a snapshot when its machine is made, and waits for nothing else. */
function lateSnapshot(key: string, { depends_on: after = [] }: Revision, machine: string): string[] {
  return after
    .filter(address => address !== machine)
    .map(
      address =>
        `snapshot ${key} is taken after ${address}, and the module waits for its machine only: where it was taken, remove its dependsOn from the program, apply, and synthesize again`,
    );
}

function parsed<T>(schema: z.ZodType<T>, given: unknown, address: string, reasons: string[]): T | undefined {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const places = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  reasons.push(
    `${address} is not as cdktf-proxmox writes it (${places.join('; ')}): the module could not do the same`,
  );
  return undefined;
}

function queryOf(data: unknown): Readonly<Record<string, string>> {
  const read = Query.safeParse(data);
  return read.success ? read.data.query : {};
}

function nodesOf(text: string | undefined): readonly Json[] {
  if (text === undefined) return [];
  const read = Fleet.safeParse(JSON.parse(text));
  return read.success ? read.data.nodes : [];
}
