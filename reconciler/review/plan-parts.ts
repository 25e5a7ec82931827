import type { PlanDocument, ResourceChange } from './plan-document';
import { askedOf, observerKey, observersOf, type Answers, type Scope } from './plan-observers';
import { triggersOf } from './triggers-of';

/** What a plan holds of one machine. */
export interface MachineParts {
  id: string;
  cluster: string;
  /** The address of its module; empty in the outermost one. */
  module: string;
  entry: ResourceChange | undefined;
  revision: ResourceChange | undefined;
  answers: Answers | undefined;
  /** True where the answers are of all machines of its cluster, not of it alone. */
  sharesAnswers: boolean;
}

type Part = 'entry' | 'revision';
type Place = Scope & { id: string; part: Part };

// Neither a cluster nor a machine may hold a "_" in its name. In a module: one cluster, machines by index.
const NAMES: { part: Part; type: string; name: RegExp; trigger: string }[] = [
  { part: 'entry', type: 'terraform_data', name: /^machines$/, trigger: 'owner' },
  { part: 'entry', type: 'null_resource', name: /^machines(?:_([^_]+))?$/, trigger: 'owner' },
  { part: 'revision', type: 'null_resource', name: /^machine(?:_([^_]+)_([^_]+))?$/, trigger: 'token' },
];

/** The machines of a plan, with what it says of each. A resource of somebody else is none of them. */
export function machinesOfPlan(plan: PlanDocument): MachineParts[] {
  const observers = observersOf(plan);
  const found = new Map<string, MachineParts>();
  const take = (scope: Scope, id: string): MachineParts => {
    const key = observerKey(scope, id);
    const own = observers.get(key)?.answers;
    const answers = own ?? observers.get(observerKey(scope))?.answers;
    const parts = found.get(key) ?? {
      id,
      cluster: scope.cluster,
      module: scope.module,
      entry: undefined,
      revision: undefined,
      answers,
      sharesAnswers: own === undefined,
    };
    found.set(key, parts);
    return parts;
  };
  for (const change of plan.resource_changes ?? []) {
    const place = placeOf(change);
    if (place) take(place, place.id)[place.part] = change;
  }
  for (const { answers, ...scope } of observers.values()) {
    askedOf(answers).forEach(id => take(scope, id));
  }
  return [...found.values()].map(parts => ({ ...parts, cluster: parts.cluster || clusterOf(parts) }));
}

/** The queries of a plan's observers. */
export function queriesOfPlan(plan: PlanDocument): Answers['query'][] {
  return [...observersOf(plan).values()].map(({ answers }) => answers.query);
}

function placeOf(change: ResourceChange): Place | undefined {
  for (const { part, type, name, trigger } of NAMES) {
    const [whole, cluster = '', inName] = (change.type === type && name.exec(change.name)) || [];
    const id = inName ?? change.index;
    if (whole === undefined || id === undefined || !hasTrigger(change, trigger)) continue;
    return { module: change.module_address ?? '', cluster, id: String(id), part };
  }
  return undefined;
}

// Terraform tells no trigger of a resource whose triggers are not known yet.
function hasTrigger({ type, change: { before, after } }: ResourceChange, name: string): boolean {
  const told = triggersOf(type, after);
  const triggers = told === undefined ? triggersOf(type, before) : told;
  return triggers === undefined || (triggers !== null && name in triggers);
}

function clusterOf({ answers, entry, module }: MachineParts): string {
  const { before, after } = entry?.change ?? {};
  const texts = [answers?.query['cluster'], after?.['input'], before?.['input']];
  const names = texts.map(text =>
    typeof text === 'string' ? /"name":"([^"\\]+)"/.exec(text)?.[1] : undefined,
  );
  return names.find(name => name !== undefined) ?? module;
}
