import { InputError } from '../../errors';
import { keptJson, keptOf, type Kept } from './kept';
import { callsOf, type Call } from './layers';
import { leftIn, Rewrite } from './rewrite';
import { callTf, movedTf, outputTf, type Move } from './root';
import { StackJson, withoutNotes } from './stack-shapes';
import { clustersOf, type StackCluster } from './stack';
import { codeOf, codeOfKept } from './texts';

/** A root module that says what a stack said: its files by name, and the folders of the module with their clusters. */
export interface StackInHcl {
  files: ReadonlyMap<string, string>;
  /** JSON text of the cluster, by the folder of its module. */
  clusters: ReadonlyMap<string, string>;
  machines: number;
  protocol: string | undefined;
}

/** A synthesized stack as calls of our module; or why that cannot be. */
export function stackInHcl(json: unknown): StackInHcl | { reasons: readonly string[] } {
  const read = StackJson.safeParse(withoutNotes(json));
  if (!read.success) throw new InputError('it is not as cdktf writes a stack.');
  const stack = read.data;
  const { clusters, reasons } = clustersOf(stack);
  const own = new Set(clusters.flatMap(cluster => [...cluster.own]));
  const kept = keptOf(stack, own);
  const all = [...reasons, ...removedClusters(stack), ...clusters.flatMap(waitsOf)];
  const taken = Object.keys(stack.module);
  const calls = callsOf(clusters, kept, taken);
  if (calls === undefined) all.push('machines read each other in a loop by way of other things of the stack');
  if (all.length > 0 || calls === undefined) return { reasons: all };
  const folderOf = (name: string): string => (clusters.length === 1 ? 'proxmox' : `proxmox-${name}`);
  const rewrite = new Rewrite(calls, folderOf);
  const named = kept.map(one => ({ ...one, json: rewrite.kept(one) }));
  const left = [
    ...named.flatMap(one => leftBy(placeOf(one), codeOfKept(one), own)),
    ...clusters.flatMap(cluster => leftInCalls(cluster, rewrite, own)),
    ...othersMoved(stack).flatMap(({ from, to }) => leftBy(`the move of ${from}`, to, own)),
  ];
  if (left.length > 0) return { reasons: left };
  return {
    files: filesOf(stack, calls, { named, rewrite, folderOf }),
    clusters: new Map(clusters.map(({ name, cluster }) => [folderOf(name), cluster])),
    machines: clusters.reduce((sum, { machines }) => sum + machines.length, 0),
    protocol: clusters[0]?.protocol,
  };
}

interface Parts {
  named: readonly Kept[];
  rewrite: Rewrite;
  folderOf: (cluster: string) => string;
}

function filesOf(stack: StackJson, calls: readonly Call[], { named, rewrite, folderOf }: Parts) {
  const former = stack.moved.filter(isOfMachine);
  const others = othersMoved(stack);
  const blocks = calls.map(call => callTf(call, `./${folderOf(call.cluster.name)}`, rewrite));
  const outputs = new Map<Kept, string>();
  for (const one of named) {
    const [block, name = ''] = one.path;
    const text = block === 'output' ? outputInHcl(name, one.json) : undefined;
    if (text !== undefined) outputs.set(one, text);
  }
  const rest = keptJson(named.filter(one => !outputs.has(one)));
  const kept = { ...rest, ...(others.length > 0 && { moved: others }) };
  return new Map([
    ['main.tf', HEAD + blocks.join('\n')],
    ['moved.tf', MOVED + movedTf(calls, rewrite, former)],
    ...(outputs.size > 0 ? [['outputs.tf', [...outputs.values()].join('\n')] as const] : []),
    ['kept.tf.json', `${JSON.stringify(kept, null, 2)}\n`],
  ]);
}

const HEAD = `# Written of a synthesized stack by "pve-reconciler module --from". It is yours now: change it as you like.
# kept.tf.json holds what is no machine, word for word. Sizes are in bytes here; "2Gi" is taken, too.
#
# entries_of_stack: the entries of these machines came from the stack. Remove the line when all was applied here once: the
# next apply then writes the cluster into the entries, and touches no machine.

`;

const MOVED = `# Where the things of the stack's state are now. Remove this file once it was applied to each state.

`;

function outputInHcl(name: string, json: unknown): string | undefined {
  try {
    return outputTf(name, json);
  } catch (error) {
    // what HCL would say in another way stays JSON
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

const isOfMachine = ({ from }: Move): boolean => /^null_resource\.(?:machines?|snapshots?)_/.test(from);
const othersMoved = ({ moved }: StackJson): Move[] => moved.filter(move => !isOfMachine(move));

const placeOf = ({ address, path }: Kept): string => address ?? path.join('.');

function leftBy(what: string, code: string, own: ReadonlySet<string>): string[] {
  return leftIn(code, own).map(name => `${what} reads ${name}, which the module does not tell`);
}

/** What the calls would still name, though it is in no file that is written. */
function leftInCalls(cluster: StackCluster, rewrite: Rewrite, own: ReadonlySet<string>): string[] {
  const { name, machines, snapshots, owner } = cluster;
  return [
    ...machines.flatMap(({ id, spec, after }) =>
      leftBy(`machine ${id}`, [codeOf(rewrite.text(spec)), ...rewrite.waits(after)].join('\n'), own),
    ),
    ...[...snapshots].flatMap(([key, text]) => leftBy(`snapshot ${key}`, codeOf(text), own)),
    ...leftBy(`the owner of cluster ${name}`, codeOf(owner), own),
  ];
}

function removedClusters({ removed }: StackJson): string[] {
  return removed
    .filter(({ from }) => /^null_resource\.machines_[^_]+$/.test(from))
    .map(
      ({ from }) =>
        `the RemovedCluster of ${from} destroys machines when it is applied: apply it, take it out of the program, and synthesize again`,
    );
}

/** A machine that is made after all entries of another cluster: which of its calls made them is not known. */
function waitsOf({ machines }: StackCluster): string[] {
  return machines.flatMap(({ id, after }) =>
    after
      .filter(address => /^null_resource\.(?:machines|snapshots)_[^_]+$/.test(address))
      .map(
        address =>
          `machine ${id} is made after ${address}, which is many machines: give dependsOn the machines themselves, apply, and synthesize again`,
      ),
  );
}
