import * as z from 'zod';
import { addressOf, cidrOf, ofOtherFamily, usualPrefix } from '../values/addresses';
import { AT_CREATE } from '../fields/defaults';
import { atCreate, optional } from '../fields/field';
import { parseAddress, parseCidr } from '../values/ip-address';
import { MacAddress } from '../values/mac-address';
import { BridgeName, DnsLabel } from '../values/names';
import { strictObject } from '../fields/strict-object';
import { decimal, refuse, wants, wholeNumber } from '../fields/wants';

const Vlan = wholeNumber(1, 4094);
const TRUNK = 'a VLAN from 1 to 4094, or a range such as "100-199"';

const Trunk = z.union([z.number(), z.string()], wants(TRUNK)).transform((given, ctx) => {
  const [, from = '', to = from] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(String(given)) ?? [];
  const [low, high] = [Number(from), Number(to)];
  if (low < 1 || high > 4094 || low > high) return refuse(ctx, given, TRUNK);
  return low === high ? String(low) : `${low}-${high}`;
});

const trunkStart = (trunk: string) => Number.parseInt(trunk, 10);

const StaticIp = strictObject(() => ({
  address: cidrOf().meta({ description: 'Address with its prefix; either family.' }),
  gateway: optional(addressOf(), 'Default gateway, in the same subnet.'),
  dns: optional(z.array(addressOf()), 'Name servers.'),
}));

const StaticIpv4 = strictObject(() => ({
  address: cidrOf('ipv4').meta({ description: 'Address with its prefix.' }),
  gateway: optional(addressOf('ipv4'), 'Gateway.'),
}));
const StaticIpv6 = strictObject(() => ({
  address: cidrOf('ipv6').meta({ description: 'Address with its prefix.' }),
  gateway: optional(addressOf('ipv6'), 'Gateway.'),
}));

/** An address alone is one without its field, and often without its prefix. */
const inAddress =
  (family: 'ipv4' | 'ipv6') =>
  (given: unknown): string | undefined => {
    if (typeof given !== 'string') return undefined;
    const whole = parseCidr(given);
    const read = whole ?? parseAddress(given);
    if (read && read.family !== family) return ofOtherFamily(read);
    if (whole) return `Write {"address": "${given}"}.`;
    return read && `Write {"address": "${given}${usualPrefix(read)}"}, with the prefix of its network.`;
  };

/** One network card, known by its name: the order never matters, slots and MAC addresses are remembered. */
export const NetworkSpec = strictObject(() => ({
  name: DnsLabel.meta({ description: 'The identity of the card; the network map may know a bridge by it.' }),
  bridge: optional(BridgeName, 'Bridge, or an entry of the network map.'),
  model: atCreate(
    z.enum(['virtio', 'e1000', 'e1000e', 'rtl8139', 'vmxnet3']),
    AT_CREATE.network.model,
    'Kind of card.',
  ),
  macAddress: optional(MacAddress, 'MAC address, in any case and separator.'),
  vlan: optional(Vlan, 'VLAN tag.'),
  trunks: optional(
    z.array(Trunk).transform(list => [...new Set(list)].sort((a, b) => trunkStart(a) - trunkStart(b))),
    'VLANs passed through with their tags.',
  ),
  firewall: optional(z.boolean(), "Behind Proxmox's firewall."),
  mtu: optional(wholeNumber(1, 65_520), 'MTU; 1 takes that of the bridge.'),
  queues: optional(wholeNumber(0, 64), 'Packet queues.'),
  rateLimit: optional(decimal(0, 1_000_000, ' MB/s'), 'MB/s.'),
  hostTunnel: optional(z.boolean(), "PVE's host-tunnel."),
  linkDown: optional(z.boolean(), 'Cable unplugged.'),
  staticIP: optional(StaticIp, 'A static address, with name servers.'),
  ipv4: optional(
    z.union(
      [z.literal('dhcp'), StaticIpv4],
      wants('"dhcp" or {"address": "192.0.2.10/24"}', inAddress('ipv4')),
    ),
    'IPv4 by DHCP, or static.',
  ),
  ipv6: optional(
    z.union(
      [z.enum(['dhcp', 'auto']), StaticIpv6],
      wants('"dhcp", "auto" or {"address": "2001:db8::10/64"}', inAddress('ipv6')),
    ),
    'IPv6 by DHCP, by router advertisement, or static.',
  ),
}));
export type NetworkSpec = z.infer<typeof NetworkSpec>;
