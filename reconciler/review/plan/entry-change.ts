import type { ResourceChange, StateResource } from './plan-document';

/** What a plan does to the registry entry of a machine, and so to its guest. */
export interface EntryChange {
  /** `gone`: after it nobody manages the machine. `replaced`: another entry stands in its place. */
  entry: 'kept' | 'new' | 'replaced' | 'gone';
  /** Why Terraform takes the entry away without running the destroy of its machine: the guest stays. */
  spared: Spared | undefined;
}

/** `unwritten`: what says how to destroy is not in the code any more. */
export type Spared = 'forgotten' | 'tainted' | 'created-first' | 'unwritten';

/** Whether the apply runs the destroy of the machine. */
export function runsDestroy({ entry, spared }: EntryChange): boolean {
  return (entry === 'gone' || entry === 'replaced') && spared === undefined;
}

interface Written {
  entry: ResourceChange | undefined;
  /** The entry as the state holds it. */
  standing: StateResource | undefined;
  /** The code says what destroys a machine of this registry. */
  hasDestroy: boolean;
}

/** Whatever reason Terraform gives: the actions, the taint and the code decide whether it runs a destroy. */
export function entryChangeOf({ entry, standing, hasDestroy }: Written): EntryChange {
  const actions = entry?.change.actions ?? [];
  const leaves = actions.includes('delete') || actions.includes('forget');
  const comes = actions.includes('create');
  if (!leaves) return { entry: comes ? 'new' : 'kept', spared: undefined };
  return {
    entry: comes ? 'replaced' : 'gone',
    spared: sparedBy(actions, standing?.tainted === true, hasDestroy),
  };
}

/** Tried with Terraform 1.11: in none of these it runs a destroy provisioner. */
function sparedBy(actions: string[], isTainted: boolean, hasDestroy: boolean): Spared | undefined {
  if (actions.includes('forget')) return 'forgotten';
  if (!hasDestroy) return 'unwritten';
  if (isTainted) return 'tainted';
  return actions[0] === 'create' ? 'created-first' : undefined;
}
