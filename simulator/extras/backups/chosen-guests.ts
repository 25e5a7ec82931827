import type { Call } from '../../cluster/call';
import { fail, failParameters } from '../../failure';
import { findNamed } from '../../own-keys';
import { splitList } from '../../perl-text';
import type { World } from '../../world';

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

/** Fails where a job names its guests in two ways, or with `whole` in none. PVE: VZDump.pm verify_vzdump_parameters. */
export function checkChoice({ vmid, all, exclude, pool, stop }: Call['params'], whole: boolean): void {
  const wrong = (key: string, text: string): never => failParameters({ [key]: text });
  if (vmid !== undefined && all === '1') wrong('all', "option conflicts with option 'vmid'");
  if (vmid !== undefined && exclude !== undefined) wrong('exclude', "option conflicts with option 'vmid'");
  if (vmid !== undefined && pool !== undefined) wrong('pool', "option conflicts with option 'vmid'");
  const chosen = [all, stop, exclude].includes('1') || exclude !== undefined || pool !== undefined;
  if (whole && !chosen && vmid === undefined) wrong('vmid', 'property is missing');
}

/** The guests that a request names. PVE: VZDump.pm get_included_guests. */
export function chosenGuests(call: Call): ChosenGuests {
  const { sim, node } = call;
  const ids = namedGuests(sim.world, call.params).sort((left, right) => left - right);
  const isLocal = (id: number): boolean => (sim.world.guests[id]?.node ?? node) === node;
  return { local: ids.filter(isLocal), external: ids.filter(id => !isLocal(id)) };
}

/** The guests of a job, on all nodes. */
export function namedGuests(world: World, params: Call['params']): number[] {
  const { vmid, pool, exclude } = params;
  if (pool !== undefined) {
    const members = findNamed(world.pools, pool)?.vms ?? fail(`pool '${pool}' does not exist`);
    return [...members];
  }
  if (vmid !== undefined) return splitList(vmid).map(Number);
  if (!isForAll(params)) return [];
  const left = new Set(splitList(exclude).map(Number));
  return Object.keys(world.guests)
    .map(Number)
    .filter(id => !left.has(id));
}
