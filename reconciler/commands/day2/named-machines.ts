import { closest, type DesiredState } from '../../../spec';
import { InputError } from '../../errors';

/** The desired states that have these machines. Throws where one of them is in none, or in several. */
export function statesNaming(states: readonly DesiredState[], machines: readonly string[]): DesiredState[] {
  const ids = states.flatMap(state => state.machines.map(({ id }) => id));
  const faults = machines.flatMap(machine => {
    const count = ids.filter(id => id === machine).length;
    if (count === 0) return `${unknownMachine(machine, ids)} ${LEFT}`;
    return count === 1
      ? []
      : `there are several machines "${machine}": give the desired state of one of them only.`;
  });
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  return states.filter(state => state.machines.some(({ id }) => machines.includes(id)));
}

/** Nobody has looked: it may be an orphan, or a guest that is none of ours. No word of how either is destroyed. */
const LEFT =
  'A machine that left it is worked on once it is named there again; a guest that was never in it is left to Proxmox, or adopted first: pve-reconciler adopt.';

/** What is said of a machine that no desired state has. */
export function unknownMachine(machine: string, ids: readonly string[]): string {
  const near = closest(machine, ids);
  const meant = near === undefined ? `There are: ${ids.join(', ') || 'none'}.` : `Did you mean "${near}"?`;
  return `there is no machine "${machine}" in the desired state. ${meant}`;
}
