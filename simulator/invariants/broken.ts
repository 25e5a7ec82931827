import { brokenGuests, brokenSnapshots, strayLockFiles, strayLocks } from './guests';
import { brokenOwners, brokenVolumes, danglingDrives } from './volumes';
import type { Sim } from '../cluster/sim';

/**
 * What must be true of every world at rest, whatever was asked before: one sentence for each thing that is not.
 * Ask only when no request is under way. What Proxmox itself allows to break does not count.
 */
export function brokenInvariants(sim: Sim): string[] {
  return [
    brokenGuests,
    brokenSnapshots,
    strayLocks,
    strayLockFiles,
    brokenVolumes,
    brokenOwners,
    danglingDrives,
    brokenPools,
    brokenHa,
    brokenData,
  ].flatMap(check => check(sim));
}

/** A guest is in one pool at most; a nested pool has a parent. Members need not exist. */
function brokenPools({ world }: Sim): string[] {
  const pools = Object.entries(world.pools);
  const seen = new Map<number, string>();
  return pools.flatMap(([poolid, { vms }]) => {
    const parent = /^(.*)\/[^/]+$/.exec(poolid)?.[1];
    const broken = parent !== undefined && !world.pools[parent] ? [`pool ${poolid} has no parent`] : [];
    for (const vmid of vms) {
      const other = seen.get(vmid);
      if (other !== undefined) broken.push(`guest ${vmid} is in the pools ${other} and ${poolid}`);
      seen.set(vmid, poolid);
    }
    return broken;
  });
}

function brokenHa({ world }: Sim): string[] {
  const { resources, rules } = world.ha;
  const misplaced = Object.entries(resources)
    .filter(([key, { sid }]) => key !== sid)
    .map(([key, { sid }]) => `HA resource ${sid} stands under ${key}`);
  const empty = Object.entries(rules)
    .filter(([, { settings }]) => (settings['resources'] ?? '') === '')
    .map(([id]) => `HA rule ${id} has no resources`);
  return [...misplaced, ...empty];
}

/** The world is plain data: written as JSON and read again it is the same, so digests and state files hold. */
function brokenData({ world }: Sim): string[] {
  const place = findOdd(world, 'world');
  return place === undefined ? [] : [`${place} is not plain data`];
}

/** The first place that JSON would not give back as it is. */
function findOdd(value: unknown, at: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : at;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value !== 'object' || value instanceof Map || value instanceof Set) return at;
  for (const [key, inner] of Object.entries(value)) {
    const odd = findOdd(inner, `${at}.${key}`);
    if (odd !== undefined) return odd;
  }
  return undefined;
}
