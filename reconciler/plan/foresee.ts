import type { MachineSpec } from '../../spec';
import type { ActionOf, MachinePlan } from '../action';
import type { Configuration } from '../guest/configuration';
import { clonedConfig } from './clone';
import { planGuest } from './guest';
import type { ObservedGuest } from '../observed';
import type { PlaceOfNew } from '../machine/facts';
import type { PlanContext } from '../machine/plan-context';

interface Foreseen {
  config: Configuration;
  plan: MachinePlan;
}

/**
 * A clone as it will be, and what a run does after it stands: planned like any round, on the guest that the source will
 * yield. Of a source that was not read everything is expected to differ.
 */
export function foresee(
  spec: MachineSpec,
  clone: ActionOf<'clone'>,
  { source, destination }: PlaceOfNew,
  context: PlanContext,
): Foreseen {
  const brought = source?.config;
  const config = brought === undefined ? {} : { ...clonedConfig(brought, clone), name: spec.name ?? spec.id };
  const guest: ObservedGuest = {
    vmid: clone.vmid,
    node: destination ?? clone.node,
    digest: '',
    current: config,
    pending: {},
    power: 'stopped',
    lock: undefined,
    pool: spec.pool,
    haManaged: false,
    template: false,
    description: '',
    mark: undefined,
  };
  return {
    config,
    plan: planGuest(spec, guest, 'cloned', { ...context, facts: context.facts.withoutAsking() }),
  };
}
