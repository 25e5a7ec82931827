import type { MachineSpec } from '../../spec';

/** Today's id of a machine, then those it had before. */
export type Ids = readonly [string, ...string[]];

/** Whose machine it is that we look for. */
export interface Identity {
  owner: string;
  ids: Ids;
  /** The Terraform registry entry's id; absent for the command line and the daemon. */
  entry?: string;
  /** Of a destroy by an entry: each apply of one writes it into the mark, so a guest whose mark names none is not its. */
  mustHold?: boolean;
  /** Of a destroy by an entry that does not know the id of today: whatever id the mark names, it goes. */
  mayBeRenamed?: boolean;
  /** Terraform plans: no entry is told to its plans, and its apply says which one it is. */
  isOfTerraform?: boolean;
  /** Of a destroy: the source that its mark named when somebody decided it, `null` for none. Absent: it does not matter. */
  writtenBy?: string | null;
  /** Of a destroy that nobody was asked about: what any other source wrote last stays. Absent: it does not matter. */
  onlyOf?: readonly string[];
  /**
   * Of a destroy that no Terraform asks for: the sources that ask. What another Kubernetes holds stays, and what another
   * source wrote where only an id of before finds it. Absent: it may go.
   */
  sources?: readonly string[];
}

/** Today's id of a machine first, then those it had before. */
export function idsOf({ id, formerIds = [] }: Pick<MachineSpec, 'id' | 'formerIds'>): Ids {
  return [id, ...formerIds];
}
