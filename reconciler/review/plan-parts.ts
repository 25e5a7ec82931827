import type { PlanDocument, ResourceChange, StateModule } from './plan-document';

/** An observer's call in a plan: what it was asked, and its answers by `<id>.<field>`. */
export interface Answers {
  query: Readonly<Record<string, unknown>>;
  /** Undefined: it is asked only when the plan is applied. */
  result: Readonly<Record<string, unknown>> | undefined;
  /** What of the stack it reads. */
  reads: string[];
}

/** What a plan holds of one machine. */
export interface MachineParts {
  id: string;
  cluster: string;
  entry: ResourceChange | undefined;
  revision: ResourceChange | undefined;
  answers: Answers | undefined;
}

interface Label {
  type: string;
  name: string;
  module: string;
}

// Neither a cluster nor a machine may hold a "_" in its name. Without them: one cluster a module, machines by index.
const NAMES = {
  entry: /^machines(?:_([^_]+))?$/,
  revision: /^machine(?:_([^_]+)_([^_]+))?$/,
  observer: /^observe(?:_([^_]+?))?(?:_([^_]+))?$/,
};
const TRIGGER = { entry: 'owner', revision: 'token' };

/** The machines of a plan, with what it says of each. A null resource of somebody else is none of them. */
export function machinesOfPlan(plan: PlanDocument): MachineParts[] {
  const changes = plan.resource_changes ?? [];
  const observers = observersOf(plan);
  const found = new Map<string, MachineParts>();
  const take = (module: string, cluster: string, id: string): MachineParts => {
    const scope = `${module}/${cluster}`;
    const answers = observers.get(`${scope}/${id}`) ?? observers.get(scope);
    const parts = found.get(`${scope}/${id}`) ?? {
      id,
      cluster: cluster || clusterName(answers) || module,
      entry: undefined,
      revision: undefined,
      answers,
    };
    found.set(`${scope}/${id}`, parts);
    return parts;
  };
  for (const change of changes) {
    if (change.type !== 'null_resource') continue;
    const module = change.module_address ?? '';
    const entry = NAMES.entry.exec(change.name);
    if (entry && change.index !== undefined && isOurs(change, 'entry')) {
      take(module, entry[1] ?? '', String(change.index)).entry = change;
    }
    const revision = NAMES.revision.exec(change.name);
    const id = revision?.[2] ?? change.index;
    if (revision && id !== undefined && isOurs(change, 'revision')) {
      take(module, revision[1] ?? '', String(id)).revision = change;
    }
  }
  for (const [scope, answers] of observers) {
    const [module = '', cluster = ''] = scope.split('/');
    askedOf(answers).forEach(id => take(module, cluster, id));
  }
  return [...found.values()];
}

/** True for the plan of a stack that may have machines, also where it has none. */
export function hasRegistry({ configuration }: PlanDocument): boolean {
  const configured = configuration?.root_module?.resources ?? [];
  return configured.some(({ address }) => /^null_resource\.machines_[^_]+$/.test(address));
}

/** The queries of a plan's observers. */
export function queriesOfPlan(plan: PlanDocument): Answers['query'][] {
  return [...observersOf(plan).values()].map(({ query }) => query);
}

// Terraform tells no trigger of a resource whose triggers are not known yet.
function isOurs({ change: { before, after } }: ResourceChange, part: keyof typeof TRIGGER): boolean {
  const triggers = after?.['triggers'] ?? before?.['triggers'];
  return typeof triggers !== 'object' || triggers === null || TRIGGER[part] in triggers;
}

function observersOf(plan: PlanDocument): Map<string, Answers> {
  const observers = new Map<string, Answers>();
  const put = (label: Label, values: unknown, isDeferred: boolean, address: string): void => {
    const key = observerKey(label);
    const query = recordOf(values, 'query');
    if (key === undefined || query?.['protocol'] === undefined) return;
    const result = isDeferred ? undefined : recordOf(values, 'result');
    observers.set(key, { query, result, reads: readsOf(plan, address) });
  };
  for (const { module, resource } of stateResources(plan.prior_state?.values?.root_module)) {
    put({ ...resource, module }, resource.values, false, resource.address);
  }
  for (const { change, address, module_address: module = '', ...label } of plan.resource_changes ?? []) {
    if (change.actions[0] === 'read') put({ ...label, module }, deferredValues(change), true, address);
  }
  return observers;
}

// A query that is not known as a whole is left out of what Terraform writes.
function deferredValues({ after }: ResourceChange['change']): object {
  return after && 'query' in after ? after : { query: { protocol: UNTOLD } };
}

/** Stands for a protocol that the plan does not tell. */
export const UNTOLD = 'untold';

function observerKey({ type, name, module }: Label): string | undefined {
  const named = type === 'external' ? NAMES.observer.exec(name) : null;
  if (!named) return undefined;
  const [, cluster = '', id] = named;
  return id === undefined ? `${module}/${cluster}` : `${module}/${cluster}/${id}`;
}

function* stateResources(
  module: StateModule | undefined,
): Iterable<{ module: string; resource: NonNullable<StateModule['resources']>[number] }> {
  for (const resource of module?.resources ?? []) yield { module: module?.address ?? '', resource };
  for (const inner of module?.child_modules ?? []) yield* stateResources(inner);
}

function readsOf({ configuration }: PlanDocument, address: string): string[] {
  const configured = configuration?.root_module?.resources?.find(found => found.address === address);
  const all = configured?.expressions?.query?.references ?? [];
  return all.filter(
    one => /^(?!terraform\.|path\.)/.test(one) && !all.some(other => other.startsWith(`${one}.`)),
  );
}

function askedOf({ query }: Answers): string[] {
  return Object.keys(query).flatMap(key => (key.startsWith('spec.') ? [key.slice('spec.'.length)] : []));
}

function clusterName(answers: Answers | undefined): string {
  const text = answers?.query['cluster'];
  const name = typeof text === 'string' ? /"name":"([^"\\]+)"/.exec(text)?.[1] : undefined;
  return name ?? '';
}

function recordOf(values: unknown, key: string): Record<string, unknown> | undefined {
  const value: unknown = typeof values === 'object' && values !== null ? Reflect.get(values, key) : undefined;
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
}
