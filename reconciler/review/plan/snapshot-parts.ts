import { entryChangeOf, type EntryChange } from './entry-change';
import { hasDestroy } from './configuration';
import { observersOf, stateResources, type Scope } from './observers';
import type { PlanDocument, ResourceChange, StateResource } from './plan-document';
import { hasTrigger, triggersOf, type Values } from './triggers-of';

/** What a plan holds of one snapshot that a program wants, or wanted. */
export interface SnapshotParts extends Scope {
  /** The machine, by its id. */
  machine: string;
  name: string;
  entry: ResourceChange | undefined;
  revision: ResourceChange | undefined;
  entryChange: EntryChange;
  /** What the observer says that its apply does; undefined: it told nothing. */
  does: unknown;
  /** Its spec as it is wanted: JSON text. */
  wanted: unknown;
  /** Its spec as Proxmox has it by the last apply; undefined: that wrote none, or failed. */
  applied: unknown;
}

type FoundSnapshot = Pick<SnapshotParts, 'module' | 'cluster' | 'machine' | 'name' | 'entry' | 'revision'>;

/** The snapshots of a plan's machines. A resource of somebody else is none of them; nor is one that a `deposed` left. */
export function snapshotsOfPlan(plan: PlanDocument): SnapshotParts[] {
  const found = new Map<string, FoundSnapshot>();
  for (const change of plan.resource_changes ?? []) {
    const { before, after } = change.change;
    const place = placeOf(change, [after, before]);
    if (place === undefined || change.deposed !== undefined) continue;
    const { part, ...of } = place;
    const scope = { module: change.module_address ?? '', ...of };
    const key = JSON.stringify(scope);
    const nothing = { entry: undefined, revision: undefined };
    found.set(key, { ...nothing, ...found.get(key), ...scope, [part]: change });
  }
  const standing = new Map(stateResources(plan).map(({ resource }) => [resource.address, resource] as const));
  return [...found.values()].map(one => partsOf(one, standing, plan));
}

function partsOf(
  found: FoundSnapshot,
  standing: ReadonlyMap<string, StateResource>,
  plan: PlanDocument,
): SnapshotParts {
  const { module, cluster, machine, name, entry, revision } = found;
  const address = entry?.address ?? '';
  const key = `snapshot.${machine}.${name}`;
  const answers = [...observersOf(plan).values()].find(
    one => one.module === module && one.cluster === cluster && key in one.answers.query,
  )?.answers;
  return {
    ...found,
    entryChange: entryChangeOf({
      entry,
      standing: standing.get(address),
      hasDestroy: hasDestroy(plan, module, address),
    }),
    does: answers?.result?.[`${key}.does`],
    wanted: answers?.query[key],
    applied: writtenBy(revision, standing),
  };
}

/** The tokens of a machine that is paused or only observed: its apply ends well, and writes nothing. */
const HELD: readonly unknown[] = ['paused', 'observed'];

function writtenBy(
  revision: ResourceChange | undefined,
  standing: ReadonlyMap<string, StateResource>,
): unknown {
  const { token, spec } = triggersOf('null_resource', revision?.change.before) ?? {};
  const hasFailed = standing.get(revision?.address ?? '')?.tainted === true;
  return HELD.includes(token) || hasFailed ? undefined : spec;
}

type Place = Pick<SnapshotParts, 'cluster' | 'machine' | 'name'> & { part: 'entry' | 'revision' };

/** Neither a cluster nor a machine may hold a "_" in its name, nor any of the three a ".". In a module: by index alone. */
function placeOf({ type, name, index }: ResourceChange, values: Values[]): Place | undefined {
  const [ofEntry, id = '', called = ''] = /^([^.]+)\.([^.]+)$/.exec(String(index ?? '')) ?? [];
  const registry = type === 'terraform_data' ? /^snapshots()$/ : /^snapshots_([^_]+)$/;
  const [inRegistry, home = ''] = registry.exec(name) ?? [];
  if (inRegistry !== undefined && ofEntry !== undefined && hasTrigger(type, values, 'snapshot'))
    return { cluster: home, machine: id, name: called, part: 'entry' };
  if (type !== 'null_resource' || !hasTrigger(type, values, 'token')) return undefined;
  if (name === 'snapshot' && ofEntry !== undefined)
    return { cluster: '', machine: id, name: called, part: 'revision' };
  const [whole, cluster = '', machine = '', snapshot = ''] =
    /^snapshot_([^_]+)_([^_]+)_(.+)$/.exec(name) ?? [];
  return whole === undefined ? undefined : { cluster, machine, name: snapshot, part: 'revision' };
}
