import { readsOf } from './configuration';
import type { PlanDocument, ResourceChange, StateModule, StateResource } from './plan-document';
import { isRecord, valueAt } from '../../../spec';

/** An observer's call in a plan: what it was asked, and its answers by `<id>.<field>`. */
export interface Answers {
  query: Readonly<Record<string, unknown>>;
  /** Undefined: this plan has none. */
  result: Readonly<Record<string, unknown>> | undefined;
  /** It is asked only when the plan is applied. */
  isLate: boolean;
  /** What it reads of the code around it. */
  reads: string[];
}

/** Who is observed: machines of one cluster in one module. */
export interface Scope {
  /** Its address; empty for the outermost module. */
  module: string;
  /** Empty in a module of ours, which has one cluster. */
  cluster: string;
}

/** An observer of a plan. */
export interface Observer extends Scope {
  answers: Answers;
}

interface Label {
  type: string;
  name: string;
  index?: string | number | undefined;
}

/** The observers of a plan, by `observerKey`; without an id it is the one that its cluster's machines share. */
export function observersOf(plan: PlanDocument): Map<string, Observer> {
  const observers = new Map<string, Observer>();
  const put = (label: Label, module: string, values: unknown, isDeferred: boolean, address: string): void => {
    const observed = observedBy(label);
    const query = recordOf(values, 'query');
    if (observed === undefined || query?.['protocol'] === undefined) return;
    const scope = { module, cluster: observed.cluster };
    const result = isDeferred ? undefined : recordOf(values, 'result');
    const answers = { query, result, isLate: isDeferred, reads: readsOf(plan, module, address) };
    observers.set(observerKey(scope, observed.id), { ...scope, answers });
  };
  for (const { module, resource } of stateResources(plan)) {
    put(resource, module, resource.values, false, resource.address);
  }
  for (const found of plan.resource_changes ?? []) {
    const { change, module_address: module = '' } = found;
    if (change.actions[0] === 'read') put(found, module, deferredValues(change), true, found.address);
  }
  return observers;
}

/** What stood in the state when a plan was made, each with the address of its module. */
export function stateResources({ prior_state }: PlanDocument): { module: string; resource: StateResource }[] {
  const resourcesIn = (module: StateModule | undefined): ReturnType<typeof stateResources> => [
    ...(module?.resources ?? []).map(resource => ({ module: module?.address ?? '', resource })),
    ...(module?.child_modules ?? []).flatMap(resourcesIn),
  ];
  return resourcesIn(prior_state?.values?.root_module);
}

/** Tells observers apart. */
export function observerKey({ module, cluster }: Scope, id?: string): string {
  return JSON.stringify(id === undefined ? [module, cluster] : [module, cluster, id]);
}

/** Stands for a protocol that the plan does not tell. */
export const UNTOLD = 'untold';

/** The ids that an observer was asked for. */
export function askedOf({ query }: Answers): string[] {
  return Object.keys(query).flatMap(key => (key.startsWith('spec.') ? [key.slice('spec.'.length)] : []));
}

// A query that is not known as a whole is left out of what Terraform writes.
function deferredValues({ after }: ResourceChange['change']): object {
  return after && 'query' in after ? after : { query: { protocol: UNTOLD } };
}

/**
 * Who is observed by a data source; undefined: it is no observer. Neither a cluster nor a machine may hold a "_" in its
 * name. In a module: one cluster, machines by index.
 */
export function observedBy({
  type,
  name,
  index,
}: Label): { cluster: string; id: string | undefined } | undefined {
  if (type !== 'external') return undefined;
  if (name === 'observe_own' && typeof index === 'string') return { cluster: '', id: index };
  const [whole, cluster = '', id] = /^observe(?:_([^_]+?))?(?:_([^_]+))?$/.exec(name) ?? [];
  return whole === undefined ? undefined : { cluster, id };
}

function recordOf(values: unknown, key: string): Record<string, unknown> | undefined {
  const value = valueAt(values, [key]);
  return isRecord(value) ? value : undefined;
}
