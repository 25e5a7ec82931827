import type { Kept } from './kept';
import type { StackCluster } from './stack';
import { codeOf, codeOfKept } from './texts';

/** One call of the module: machines of one cluster of which none reads another one. */
export interface Call {
  name: string;
  cluster: StackCluster;
  machines: StackCluster['machines'];
}

interface Node {
  /** What names others. */
  text: string;
  /** What it is cloned from: that may stand in the same call, where a clone waits for it. */
  sources?: readonly string[];
  /** What else it is made after. */
  after?: readonly string[];
  /** Of a machine: its key. */
  machine?: string;
}

/**
 * The calls of a stack. A machine cannot read another one of the same call, so who reads stands in a later call. Nothing
 * where machines read each other in a loop by way of what Terraform orders as a whole.
 */
export function callsOf(
  clusters: readonly StackCluster[],
  kept: readonly Kept[],
  takenNames: readonly string[],
): Call[] | undefined {
  const depths = depthsOf(clusters, kept);
  if (depths === undefined) return undefined;
  const taken = new Set(takenNames);
  return clusters.flatMap(cluster => {
    const depth = (id: string): number => depths.get(keyOf(cluster.name, id)) ?? 0;
    const levels = [...new Set(cluster.machines.map(({ id }) => depth(id)))].sort(
      (one, other) => one - other,
    );
    return (levels.length === 0 ? [0] : levels).map((level, place) => ({
      name: freeName(cluster.name, place, taken),
      cluster,
      machines: cluster.machines.filter(({ id }) => depth(id) === level),
    }));
  });
}

const keyOf = (cluster: string, machine: string): string => `${cluster}/${machine}`;

function freeName(cluster: string, place: number, taken: Set<string>): string {
  const letters = /^[a-z]/i.test(cluster) ? cluster : `proxmox_${cluster}`;
  const wanted = place === 0 ? letters : `${letters}_${place + 1}`;
  const name = taken.has(wanted) ? `proxmox_${wanted}` : wanted;
  taken.add(name);
  return name;
}

/** How many machines stand before each, one behind the other. What it is cloned from is none: a clone may stand beside it. */
function depthsOf(
  clusters: readonly StackCluster[],
  kept: readonly Kept[],
): ReadonlyMap<string, number> | undefined {
  const nodes = nodesOf(clusters, kept);
  const known = new Map<string, number>();
  const open = new Set<string>();
  let hasLoop = false;
  const depthOf = (address: string): number => {
    const there = known.get(address);
    if (there !== undefined) return there;
    if (open.has(address)) {
      hasLoop = true;
      return 0;
    }
    open.add(address);
    const node = nodes.get(address);
    const named = node === undefined ? [] : addressesIn(node.text, nodes);
    const depth = [...named, ...(node?.after ?? [])]
      .filter(one => one !== address && !isSame(nodes.get(one), node))
      .map(one => depthOf(one) + (isMachine(nodes.get(one)) ? 1 : 0));
    const sources = (node?.sources ?? []).map(depthOf);
    const deepest = Math.max(0, ...depth, ...sources);
    open.delete(address);
    known.set(address, deepest);
    return deepest;
  };
  const depths = new Map<string, number>();
  for (const [address, { machine }] of nodes)
    if (machine !== undefined) depths.set(machine, Math.max(depths.get(machine) ?? 0, depthOf(address)));
  return hasLoop ? undefined : depths;
}

const isMachine = (node: Node | undefined): boolean => node?.machine !== undefined;
const isSame = (one: Node | undefined, other: Node | undefined): boolean =>
  isMachine(one) && one?.machine === other?.machine;

/** What can be named, with the text that names others. Each address of a machine stands for the machine. */
function nodesOf(clusters: readonly StackCluster[], kept: readonly Kept[]): ReadonlyMap<string, Node> {
  const nodes = new Map<string, Node>();
  for (const one of kept)
    if (one.address !== undefined && !one.address.startsWith('output.'))
      nodes.set(one.address, { text: codeOfKept(one) });
  for (const cluster of clusters)
    for (const { id, spec, sources, after } of cluster.machines)
      for (const address of addressesOf(cluster, id))
        nodes.set(address, { text: codeOf(spec), sources, after, machine: keyOf(cluster.name, id) });
  return nodes;
}

function addressesOf({ name, snapshots }: StackCluster, id: string): string[] {
  const taken = [...snapshots.keys()].filter(key => key.startsWith(`${id}.`));
  return [
    `null_resource.machine_${name}_${id}`,
    `data.external.facts_${name}_${id}`,
    ...taken.map(key => `null_resource.snapshot_${name}_${key.replace('.', '_')}`),
  ];
}

function addressesIn(text: string, nodes: ReadonlyMap<string, Node>): string[] {
  const names = text.match(/[A-Za-z_][\w-]*(?:\.[\w-]+)+/g) ?? [];
  const addresses = names.flatMap(name => {
    const words = name.split('.');
    return [words.slice(0, 2).join('.'), words.slice(0, 3).join('.')];
  });
  return [...new Set(addresses)].filter(address => nodes.has(address));
}
