import { hasPrivileges } from '../access/privileges';
import type { Call } from '../cluster/call';
import type { Sim } from '../cluster/sim';
import type { Guest } from '../world';

/** Tells of a guest whether this user may see it. Fast for many guests: most share the rights on /vms. */
export function guestVisibility(sim: Sim, user: string): (vmid: number) => boolean {
  const usual = hasPrivileges(sim, user, '/vms/0', ['VM.Audit']);
  const special = new Set<string>();
  for (const { path } of sim.world.access.acl) {
    const vmid = /^\/vms\/([^/]+)/.exec(path)?.[1];
    if (vmid !== undefined) special.add(vmid);
  }
  for (const { vms } of Object.values(sim.world.pools)) vms.forEach(vmid => special.add(String(vmid)));
  return vmid => (special.has(String(vmid)) ? hasPrivileges(sim, user, `/vms/${vmid}`, ['VM.Audit']) : usual);
}

/** Tells of a pool whether this user may see it. */
export function poolVisibility(sim: Sim, user: string): (poolid: string) => boolean {
  const known = new Map<string, boolean>();
  return poolid => {
    const seen = known.get(poolid) ?? hasPrivileges(sim, user, `/pool/${poolid}`, ['Pool.Audit']);
    known.set(poolid, seen);
    return seen;
  };
}

/** The guests of one type on the node that is asked, as far as the caller may see them. */
export function guestsSeenBy({ sim, node, user }: Call, type: Guest['type']): Guest[] {
  const isVisible = guestVisibility(sim, user);
  return Object.values(sim.world.guests).filter(
    guest => guest.node === node && guest.type === type && isVisible(guest.vmid),
  );
}
