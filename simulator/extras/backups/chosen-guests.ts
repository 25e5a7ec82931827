import type { Call } from '../../cluster/call';
import { fail } from '../../failure';
import { findNamed } from '../../own-keys';
import { splitList } from '../../perl-text';

/** The guests of a backup job. */
export interface ChosenGuests {
  /** Of this node, or of nobody: those fail later. */
  local: number[];
  /** Of other nodes, which are passed over. */
  external: number[];
}

/** Whether a job is for all guests but some. */
export function isForAll({ all, exclude, pool }: Call['params']): boolean {
  return all === '1' || (exclude !== undefined && pool === undefined);
}

/** The guests that a request names. PVE: VZDump.pm get_included_guests. */
export function chosenGuests(call: Call): ChosenGuests {
  const { sim, node } = call;
  const ids = namedGuests(call).sort((left, right) => left - right);
  const isLocal = (id: number): boolean => (sim.world.guests[id]?.node ?? node) === node;
  return { local: ids.filter(isLocal), external: ids.filter(id => !isLocal(id)) };
}

function namedGuests({ sim, params }: Call): number[] {
  const { vmid, pool, exclude } = params;
  if (pool !== undefined) {
    const members = findNamed(sim.world.pools, pool)?.vms ?? fail(`pool '${pool}' does not exist`);
    return [...members];
  }
  if (vmid !== undefined) return splitList(vmid).map(Number);
  if (!isForAll(params)) return [];
  const left = new Set(splitList(exclude).map(Number));
  return Object.keys(sim.world.guests)
    .map(Number)
    .filter(id => !left.has(id));
}
