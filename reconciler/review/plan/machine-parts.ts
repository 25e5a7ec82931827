import { entryChangeOf, runsDestroy, type EntryChange } from './entry-change';
import { hasDestroy } from './configuration';
import type { PlanDocument, ResourceChange, StateResource } from './plan-document';
import {
  askedOf,
  observerKey,
  observersOf,
  stateResources,
  type Answers,
  type Observer,
  type Scope,
} from './observers';
import { otherCallOf } from './other-call';
import { snapshotsOfPlan, type SnapshotParts } from './snapshot-parts';
import { hasTrigger, type Values } from './triggers-of';

/** What a plan holds of one machine. */
export interface MachineParts {
  id: string;
  cluster: string;
  /** The address of its module; empty in the outermost one. */
  module: string;
  entry: ResourceChange | undefined;
  revision: ResourceChange | undefined;
  /** Its registry entry in the state that the plan was made from. */
  standing: StateResource | undefined;
  entryChange: EntryChange;
  answers: Answers | undefined;
  /** True where the answers are of all machines of its cluster, not of it alone. */
  sharesAnswers: boolean;
  /** What observers of its cluster told of all guests of the owner that they were asked for, each as a text. */
  held: { owner: unknown; text: string }[];
  /**
   * Whether observers of its cluster are in the plan (`none`: no), and whether one answered in it (`done`). `late`: only in
   * the apply. `failed`: none did, as the plan failed.
   */
  looks: 'none' | 'late' | 'failed' | 'done';
  /** Its snapshots that the program wants, or wanted. */
  snapshots: SnapshotParts[];
  /** The call of the module that it moves to or comes from, where a call has another name now. */
  otherCall?: string | undefined;
}

type Part = 'entry' | 'revision';
type Place = Scope & { id: string; part: Part };
type FoundMachine = Omit<MachineParts, 'entryChange' | 'held' | 'looks' | 'snapshots'>;

// Neither a cluster nor a machine may hold a "_" in its name. In a module: one cluster, machines by index.
const NAMES: { part: Part; type: string; name: RegExp; trigger: string }[] = [
  { part: 'entry', type: 'terraform_data', name: /^machines$/, trigger: 'owner' },
  { part: 'entry', type: 'null_resource', name: /^machines(?:_([^_]+))?$/, trigger: 'owner' },
  {
    part: 'revision',
    type: 'null_resource',
    name: /^(?:machine(?:_([^_]+)_([^_]+))?|template)$/,
    trigger: 'token',
  },
];

/** The machines of a plan, with what it says of each. A resource of somebody else is none of them. */
export function machinesOfPlan(plan: PlanDocument): MachineParts[] {
  const all = foundIn(plan);
  return all.map(parts => ({ ...parts, otherCall: otherCallOf(parts, all) }));
}

function foundIn(plan: PlanDocument): MachineParts[] {
  const observers = observersOf(plan);
  const found = new Map<string, FoundMachine>();
  const take = (scope: Scope, id: string): FoundMachine => {
    const key = observerKey(scope, id);
    const own = observers.get(key)?.answers;
    const answers = own ?? observers.get(observerKey(scope))?.answers;
    const nothing = { entry: undefined, revision: undefined, standing: undefined };
    const { cluster, module } = scope;
    const parts = found.get(key) ?? { id, cluster, module, ...nothing, answers, sharesAnswers: !own };
    found.set(key, parts);
    return parts;
  };
  for (const change of plan.resource_changes ?? []) {
    const { before, after } = change.change;
    const place = placeOf(change, change.module_address, [after, before]);
    if (place && change.deposed === undefined) take(place, place.id)[place.part] = change;
  }
  for (const { module, resource } of stateResources(plan)) {
    const place = placeOf(resource, module, [resource.values]);
    if (place?.part === 'entry' && resource.deposed_key === undefined)
      take(place, place.id).standing = resource;
  }
  for (const { answers, ...scope } of observers.values()) {
    askedOf(answers).forEach(id => take(scope, id));
  }
  const snapshots = snapshotsOfPlan(plan);
  // also a machine of which only these are left
  for (const one of snapshots) if (runsDestroy(one.entryChange)) take(one, one.machine);
  return [...found.values()].map(parts => ({
    ...parts,
    snapshots: snapshots.filter(isOf(parts)),
    cluster: parts.cluster || clusterOf(parts),
    held: heldTexts(observers.values(), parts),
    looks: looksOf(observers.values(), parts),
    entryChange: entryChangeOf({
      ...parts,
      hasDestroy: hasDestroy(plan, parts.module, parts.entry?.address ?? ''),
    }),
  }));
}

function isOf({ module, cluster, id }: Scope & { id: string }): (one: SnapshotParts) => boolean {
  return one => one.module === module && one.cluster === cluster && one.machine === id;
}

function looksOf(observers: Iterable<Observer>, scope: Scope): MachineParts['looks'] {
  const own = [...observers].filter(isIn(scope));
  if (own.length === 0) return 'none';
  if (own.some(({ answers }) => answers.result !== undefined)) return 'done';
  return own.some(({ answers }) => answers.isLate) ? 'late' : 'failed';
}

function isIn({ module, cluster }: Scope): (observer: Observer) => boolean {
  return observer => observer.module === module && observer.cluster === cluster;
}

function heldTexts(observers: Iterable<Observer>, scope: Scope): MachineParts['held'] {
  return [...observers].filter(isIn(scope)).flatMap(({ answers }) => {
    const text = answers.result?.['guests'];
    return typeof text === 'string' ? [{ owner: answers.query['owner'], text }] : [];
  });
}

/** The queries of a plan's observers. */
export function queriesOfPlan(plan: PlanDocument): Answers['query'][] {
  return [...observersOf(plan).values()].map(({ answers }) => answers.query);
}

/** Which part of a machine a resource is; undefined: it is none of ours. */
export function placeOf(
  { type, name, index }: Pick<StateResource, 'type' | 'name' | 'index'>,
  module: string | undefined,
  values: Values[],
): Place | undefined {
  for (const { part, type: ours, name: form, trigger } of NAMES) {
    const [whole, cluster = '', inName] = (type === ours && form.exec(name)) || [];
    const id = inName ?? index;
    if (whole === undefined || id === undefined || !hasTrigger(type, values, trigger)) continue;
    return { module: module ?? '', cluster, id: String(id), part };
  }
  return undefined;
}

function clusterOf({ answers, entry, module }: FoundMachine): string {
  const { before, after } = entry?.change ?? {};
  const texts = [answers?.query['cluster'], after?.['input'], before?.['input']];
  const names = texts.map(text =>
    typeof text === 'string' ? /"name":"([^"\\]+)"/.exec(text)?.[1] : undefined,
  );
  return names.find(name => name !== undefined) ?? module;
}
