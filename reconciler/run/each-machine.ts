import type { Wanted } from './wanted';

/**
 * Works on all machines of a run at once, each to its own end. One machine's failure never stops the others: what
 * `failed` makes of it stands in its place. How much Proxmox gets at once, run/clone-limits.ts says.
 */
export function eachMachine<T>(
  machines: readonly Wanted[],
  work: (machine: Wanted) => Promise<T>,
  failed: (machine: Wanted, error: unknown) => T,
): Promise<T[]> {
  const endOf = async (machine: Wanted): Promise<T> => {
    try {
      return await work(machine);
    } catch (error) {
      return failed(machine, error);
    }
  };
  return Promise.all(machines.map(endOf));
}
