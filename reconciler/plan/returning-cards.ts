import type { Warning } from '../action';
import type { Scene } from '../machine/scene';

/**
 * What to tell of network cards that the machine had and that somebody took out. Proxmox draws a new address for each
 * card that is written without one (behaviour.md §4), and our mark remembers none.
 */
export function returningCards({ spec, mark, slots, config, current, origin }: Scene): Warning[] {
  if (origin !== 'kept') return [];
  return (spec.networks ?? []).flatMap(({ name, macAddress }) => {
    const slot = slots.networks[name] ?? '';
    const isBack =
      mark?.networks?.[name] !== undefined && config[slot] === undefined && current[slot] === undefined;
    if (!isBack || macAddress !== undefined) return [];
    const text = `network card ${name} is not there any more, and comes back with a new MAC address, which Proxmox draws: what knows the old one (a lease, a rule of a firewall) does not know it. To choose it, say macAddress.`;
    return [{ about: `card ${name}`, text }];
  });
}
