import type { DesiredState, MachineSpec } from '../../spec';
import type { MachinePlan, Refusal } from '../action';
import type { Known } from '../plan/shown/token';
import { idsOf, type Identity } from '../mark/identity';
import type { ObservedMachine } from '../observed';
import type { PlanContext } from '../machine/plan-context';

/** What a run takes for its own: the names of where its desired states come from, as they go into marks. */
export interface Source {
  /** One that was given, or one for each place. */
  names: readonly string[];
  /** A person gave the name; else they are those of the places where the desired states were read. */
  isNamed: boolean;
}

/** A desired state, and what its run takes for its own. */
export type SourcedState = DesiredState & {
  source?: Source;
  /** The name of the source of each machine, by id. Absent: nobody says, and a mark keeps the one that it names. */
  sourceNames?: ReadonlyMap<string, string>;
};

/** What is wanted of one machine, and by whom. */
export interface Wanted {
  spec: MachineSpec;
  identity: Identity;
  /** The name of where what is wanted comes from. */
  sourceName?: string;
  /** The names that the run takes for its own. */
  source?: Source;
  /** Terraform's token for this apply. */
  token?: string;
  /** Somebody reads its addresses: a run that starts it waits for one. */
  readsAddress?: boolean;
  /** What Terraform's plan knew of it, where it knew enough. */
  known?: Known;
  /** The node that Terraform's plan chose for a new machine. */
  node?: string;
  /** The id that it chose: taken while it is free. */
  vmid?: number;
  /** The ids of all machines of the owner that are wanted, where that is known. */
  staying?: ReadonlySet<string>;
  secrets: PlanContext['secrets'];
  /** The snapshots that are wanted of it. */
  snapshots?: PlanContext['snapshots'];
  /** It is to go back to this snapshot now, whatever it did before. */
  revert?: string;
  only?: PlanContext['only'];
  /** Says why a plan must not be carried out, though it could be. */
  objection?: (plan: MachinePlan, have: ObservedMachine) => Refusal[];
}

/** What a desired state wants of one machine: no Terraform entry, no token. */
export function wantedOf(
  {
    owner,
    source,
    sourceNames,
    snapshots = [],
  }: Pick<SourcedState, 'owner' | 'source' | 'sourceNames' | 'snapshots'>,
  spec: MachineSpec,
  secrets: Wanted['secrets'],
): Wanted {
  const identity = { owner, ids: idsOf(spec) };
  const sourceName = sourceNames?.get(spec.id);
  const wanted = snapshots.filter(({ machine }) => machine === spec.id);
  return {
    ...{ spec, identity, secrets },
    ...(sourceName !== undefined && { sourceName }),
    ...(source && { source }),
    ...(wanted.length > 0 && { snapshots: wanted }),
  };
}
