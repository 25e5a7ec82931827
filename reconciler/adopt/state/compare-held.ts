import type { ObservedGuest } from '../../observed';
import { nextConfiguration, propertiesOf, type Configuration } from '../../guest/configuration';
import { NETWORK_SLOTS } from '../../guest/slot-names';
import { effectiveAt } from '../../machine/compare';
import type { Reason } from '../candidates';
import type { ForeignGuest } from './foreign-guests';

/** Why the guest that has the number is not taken for the one in the state. */
export function notThatOne(held: ForeignGuest, guest: Pick<ObservedGuest, 'current'>): Reason | undefined {
  if (held.doubt !== undefined) {
    const remedy = 'Bring it in order with the tool that holds it, or adopt it by its number.';
    return { why: `the state has it as ${held.address}, and there ${held.doubt}`, remedy };
  }
  const name = guest.current['name'];
  const macs = macsOf(guest.current);
  const isNamed = held.name !== undefined && held.name === name;
  const hasCard = held.macs.some(mac => macs.includes(mac));
  if (isNamed || hasCard) return undefined;
  if (held.name === undefined && held.macs.length === 0)
    return {
      why: `the state has neither a name nor a MAC address of ${held.address}: nothing but the number says that it is this guest`,
      remedy: 'Look whether it is this guest. If so, adopt it by its number.',
    };
  const there = [held.name, ...held.macs].filter(word => word !== undefined).join(', ');
  const here = [name, ...macs].filter(word => word !== undefined).join(', ');
  return {
    why: `the state has another one under its number: ${there} in ${held.address}; Proxmox has ${here === '' ? 'one without a name' : here}`,
    remedy:
      'Take the entry out of the state if that guest is gone. If it is the same one, adopt it by its number.',
  };
}

/** How Proxmox differs from what a state says: the program says what Proxmox has. */
export function unlikeState(held: ForeignGuest, { node, power, current, pending }: ObservedGuest): string[] {
  const config = nextConfiguration(current, pending);
  const there: Readonly<Record<string, unknown>> = {
    'cpu.cores': Number(effectiveAt(config, { key: 'cores' })),
    'cpu.sockets': Number(effectiveAt(config, { key: 'sockets' })),
    'memory (MiB)': Number(effectiveAt(config, { key: 'memory', property: 'current' })),
    ...(power !== 'unknown' && { running: power === 'running' }),
  };
  const values = Object.entries(held.known).map(([field, said]) => ({ field, said, has: there[field] }));
  const macs = macsOf(current);
  const hasCard = held.macs.length === 0 || held.macs.some(mac => macs.includes(mac));
  const words = [
    {
      field: 'MAC address',
      said: hasCard ? undefined : held.macs.join(', '),
      has: macs.join(', ') || 'none',
    },
    { field: 'name', said: held.name, has: current['name'] ?? 'none' },
    { field: 'node', said: held.node, has: node },
  ];
  return [...words, ...values].flatMap(({ field, said, has }) =>
    said === undefined || has === undefined || said === has
      ? []
      : [`the state says ${field} ${String(said)}, Proxmox has ${String(has)}`],
  );
}

function macsOf(config: Configuration): string[] {
  return NETWORK_SLOTS.flatMap(slot => {
    const { macaddr } = propertiesOf(slot, config[slot]);
    return macaddr === undefined ? [] : [String(macaddr).toUpperCase()];
  });
}
