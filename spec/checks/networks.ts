import { isInSubnet, isReservedInSubnet, parseAddress, parseCidr } from '../values/ip-address';
import type { MachineSpec } from '../machine/machine';
import type { NetworkSpec } from '../machine/network';
import type { Path } from '../reading/path';
import type { Finding } from '../reading/problem';
import { repeated } from './repeated';

const MOST = 32;

/** A static address of a network, and where it is said. */
export interface StaticAddress {
  readonly path: Path;
  readonly address: string;
  readonly gateway: string | undefined;
}

/** All static addresses of a network, in either spelling. */
export function staticAddresses({ staticIP, ipv4, ipv6 }: NetworkSpec): StaticAddress[] {
  const said = { staticIP, ipv4, ipv6 };
  return Object.entries(said).flatMap(([field, value]) =>
    typeof value === 'object' ? [{ path: [field], address: value.address, gateway: value.gateway }] : [],
  );
}

/** Network cards that contradict themselves or each other. */
export function* networkFindings({ networks = [] }: MachineSpec): Iterable<Finding> {
  yield* repeated(networks, 'networks', 'name', 'a network card is known by its name');
  yield* repeated(networks, 'networks', 'macAddress', 'a MAC address belongs to one card');
  if (networks.length > MOST) {
    yield {
      path: ['networks'],
      reason: `has ${networks.length} cards`,
      allowed: `at most ${MOST}`,
      remedy: 'Remove some.',
    };
  }
  const seen = new Set<string>();
  for (const [i, network] of networks.entries()) {
    for (const { path, address } of staticAddresses(network)) {
      const host = address.slice(0, address.indexOf('/'));
      if (seen.has(host)) {
        yield {
          path: ['networks', i, ...path, 'address'],
          reason: 'is given to two cards of this machine',
          remedy: 'Give each card an address of its own.',
        };
      }
      seen.add(host);
    }
    for (const finding of [...cardFindings(network), ...addressFindings(network)]) {
      yield { ...finding, path: ['networks', i, ...finding.path] };
    }
  }
}

function* cardFindings({ vlan, trunks = [], model = 'virtio', mtu, queues }: NetworkSpec): Iterable<Finding> {
  const inTrunk = (trunk: string) => {
    const [low = 0, high = low] = trunk.split('-').map(Number);
    return vlan !== undefined && low <= vlan && vlan <= high;
  };
  // Assumed: the tag is the untagged VLAN of the port, so it cannot be passed with its tag too.
  if (trunks.some(inTrunk)) {
    yield { path: ['vlan'], reason: 'is among trunks too', remedy: 'Take it out of one of the two.' };
  }
  for (const [field, value] of Object.entries({ mtu, queues })) {
    if (value !== undefined && model !== 'virtio') {
      yield {
        path: [field],
        reason: `has no effect on model "${model}"`,
        allowed: 'with model virtio',
        remedy: 'Remove it, or use model "virtio".',
      };
    }
  }
}

function* addressFindings(network: NetworkSpec): Iterable<Finding> {
  for (const { path, address, gateway } of staticAddresses(network)) {
    const cidr = parseCidr(address);
    const door = gateway === undefined ? undefined : parseAddress(gateway);
    if (cidr === undefined) continue;
    if (isReservedInSubnet(cidr)) {
      yield {
        path: [...path, 'address'],
        reason: 'is the first or last address of its subnet, which no host may have',
        remedy: 'Choose another address, or mend the prefix.',
      };
    }
    if (door !== undefined && !isInSubnet(door, cidr)) {
      yield {
        path: [...path, 'gateway'],
        reason: `is outside the subnet of ${address}`,
        remedy: 'Choose a gateway in the subnet, or mend the prefix.',
      };
    }
    if (door !== undefined && door.value === cidr.value && door.family === cidr.family) {
      yield {
        path: [...path, 'gateway'],
        reason: 'is the address of the machine itself',
        remedy: 'Name the router.',
      };
    }
    if (path[0] === 'staticIP' && network[cidr.family] !== undefined) {
      yield {
        path: [cidr.family],
        reason: `is said twice: staticIP is ${cidr.family} too`,
        remedy: `Remove staticIP or ${cidr.family}.`,
      };
    }
  }
}
