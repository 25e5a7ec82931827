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
  place: PlaceOfNew,
  context: PlanContext,
): Foreseen {
  const guest = clonedGuest(spec, clone, place);
  const imagined = { ...context, facts: context.facts.withoutAsking() };
  return { config: guest.current, plan: planGuest(spec, guest, 'cloned', imagined) };
}

/** A clone as it will be before anything is written to it. */
export function clonedGuest(
  spec: MachineSpec,
  clone: ActionOf<'clone'>,
  { source, destination }: PlaceOfNew,
): ObservedGuest {
  const brought = source?.config;
  const config = brought === undefined ? {} : { ...clonedConfig(brought, clone), name: spec.name ?? spec.id };
  return {
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
}
