import { placeOf } from './machine-parts';
import { observedBy, UNTOLD, type Scope } from './observers';
import type { Check, PlanDocument, StateModule, StateResource } from './plan-document';

/**
 * A plan without the readings of an earlier one. A plan that failed keeps in its state what was last read of a data source
 * that it did not come to, and nothing marks that: only what this plan did with a reading proves that it is its own.
 */
export function withOwnReadings(plan: PlanDocument): PlanDocument {
  const root = plan.prior_state?.values?.root_module;
  if (plan.errored !== true || root === undefined) return plan;
  const proven = provenBy(plan);
  const owned = (resource: StateResource, module: string): StateResource => {
    const observed = observedBy(resource);
    if (observed === undefined || proven({ module, cluster: observed.cluster }, observed.id)) return resource;
    return { ...resource, values: { query: { protocol: UNTOLD } } };
  };
  const ownIn = (module: StateModule): StateModule => ({
    ...module,
    resources: module.resources?.map(resource => owned(resource, module.address ?? '')),
    child_modules: module.child_modules?.map(ownIn),
  });
  return { ...plan, prior_state: { values: { root_module: ownIn(root) } } };
}

type Proves = (scope: Scope, id: string | undefined) => boolean;

/**
 * Tried with Terraform 1.11: where an observer fails, no revision that reads it is planned, and none of their
 * preconditions is decided, nor the check that reads it.
 */
function provenBy(plan: PlanDocument): Proves {
  const planned = (plan.resource_changes ?? []).flatMap(one => {
    const { actions } = one.change;
    // one that leaves is planned without any reading
    const isWanted = !actions.includes('forget') && actions.join() !== 'delete';
    return isWanted ? (placeOf(one, one.module_address, []) ?? []) : [];
  });
  const decided = (plan.checks ?? []).flatMap(decidedBy);
  const revisions = [...planned, ...decided.flatMap(({ place }) => place ?? [])].filter(
    ({ part }) => part === 'revision',
  );
  const blocks = new Set(decided.map(({ block }) => block));
  const ownOnes = ownObservers(plan);
  return ({ module, cluster }, id) => {
    if (module === '' && id === undefined && blocks.has(`observe_${cluster}`)) return true;
    const beside = revisions.filter(one => one.module === module && one.cluster === cluster);
    // in a module each revision waits for all observers
    if (module !== '' || id !== undefined) return beside.some(one => module !== '' || one.id === id);
    return beside.some(one => !ownOnes.has(`${cluster}_${one.id}`));
  };
}

interface Decided {
  place?: ReturnType<typeof placeOf>;
  /** The name of a block `check` of the outermost module. */
  block?: string;
}

/** What a check was decided of: Terraform says `unknown` of one that it did not come to. */
function decidedBy({ address, instances = [] }: Check): Decided[] {
  const { kind, type = '', name } = address;
  return instances
    .filter(({ status }) => status === 'pass' || status === 'fail')
    .map(({ address: { module, instance_key: index } }) => {
      if (kind === 'check') return module === undefined ? { block: name } : {};
      return kind === 'resource' ? { place: placeOf({ type, name, index }, module, []) } : {};
    });
}

/** The machines of the outermost module that have an observer of their own, each as `<cluster>_<id>`. */
function ownObservers({ configuration }: PlanDocument): Set<string> {
  const resources = configuration?.root_module?.resources ?? [];
  const names = resources.map(({ address }) => /^data\.external\.observe_(.+)$/.exec(address)?.[1] ?? '');
  return new Set(names.filter(name => name.includes('_')));
}
