import type { DesiredState, MachineSpec } from '../../spec';
import { noLossBy } from '../plan/shown/no-loss-by';
import type { FactsInToken } from '../plan/shown/token';
import { idsOf } from '../mark/identity';
import type { WantedOfPlan } from '../machine/plan-context';
import type { ProxmoxIdentity } from './proxmox-identity';

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
  /** The Proxmox that machines are bound to, by id: nothing is begun for them in another one. */
  boundTo?: ReadonlyMap<string, ProxmoxIdentity>;
  /** It was read in the folder of a synthesized stack. */
  isOfStack?: true;
  /** A file of those that were read, or stdin, that may be cut short: nothing is lost by any of them. */
  cutFile?: string | undefined;
};

/** What is wanted of one machine, by whom, and what is known of it before. */
export interface Wanted extends WantedOfPlan {
  spec: MachineSpec;
  /** Somebody reads its addresses: a run that starts it waits for one. */
  readsAddress?: boolean;
  /** Throws where nothing may be written now: called directly before each action. */
  allowed?: () => Promise<void>;
  /** The facts of it in the token of Terraform's plan, where they are enough to begin with. */
  factsInToken?: FactsInToken;
  /** The node that Terraform's plan chose for a new machine. */
  node?: string;
  /** The id that it chose: taken while it is free. */
  vmid?: number;
  /** The number of its guest when this process last saw it, in an earlier run. */
  seenAs?: number;
  /** The ids of all machines of the owner that are wanted, where that is known. */
  staying?: ReadonlySet<string>;
}

/** What a desired state wants of one machine: no Terraform entry, no token. */
export function wantedOf(
  {
    owner,
    source,
    sourceNames,
    snapshots = [],
    cutFile,
    isOfStack,
  }: Pick<SourcedState, 'owner' | 'source' | 'sourceNames' | 'snapshots' | 'cutFile' | 'isOfStack'>,
  spec: MachineSpec,
  secrets: Wanted['secrets'],
): Wanted {
  const identity = { owner, ids: idsOf(spec) };
  const sourceName = sourceNames?.get(spec.id);
  const wanted = snapshots.filter(({ machine }) => machine === spec.id);
  return {
    ...{ spec, identity, secrets },
    ...noLossBy(cutFile),
    ...(isOfStack && { isOfStack }),
    ...(sourceName !== undefined && { sourceName }),
    ...(source && { source }),
    ...(wanted.length > 0 && { snapshots: wanted }),
  };
}

/** What a run takes for its own, in words that follow "this is". */
export function sourceText(own: Source | undefined): string {
  if (own === undefined || own.names.length === 0) return 'a source without a name';
  return own.names.map(name => `source "${name}"`).join(' and ');
}
