import type { IResolvable } from 'cdktf';

/** A static address of a network card. */
export interface AddressProps {
  /** Address with its prefix, such as "192.0.2.10/24". */
  readonly address: string;
  /**
   * Gateway, in the same subnet.
   * @default - none
   */
  readonly gateway?: string;
}

/** A static address of either family, with its name servers. */
export interface StaticIpProps extends AddressProps {
  /**
   * Name servers.
   * @default - not managed
   */
  readonly dns?: readonly string[];
}

/** One network card, known by its name: the order never matters; slots and MAC addresses are remembered. */
export interface NetworkProps {
  /** The identity of the card. The cluster's network map may know a bridge by it. */
  readonly name: string;
  /**
   * Bridge, or an entry of the cluster's network map.
   * @default - what the network map has for the name
   */
  readonly bridge?: string;
  /**
   * Kind of card.
   * @default 'virtio', when the card is made
   */
  readonly model?: 'virtio' | 'e1000' | 'e1000e' | 'rtl8139' | 'vmxnet3';
  /**
   * MAC address, in any case and with any separator.
   * @default - assigned once and kept
   */
  readonly macAddress?: string;
  /**
   * VLAN tag, 1 to 4094.
   * @default - not managed
   */
  readonly vlan?: number;
  /**
   * VLANs that pass with their tags: numbers, or ranges such as "100-199".
   * @default - not managed
   */
  readonly trunks?: readonly (number | string)[];
  /**
   * Behind the firewall of Proxmox.
   * @default - not managed
   */
  readonly firewall?: boolean | IResolvable;
  /**
   * MTU, 1 to 65520; 1 takes that of the bridge. Only for virtio.
   * @default - not managed
   */
  readonly mtu?: number;
  /**
   * Packet queues, 0 to 64. Only for virtio.
   * @default - not managed
   */
  readonly queues?: number;
  /**
   * At most so many MB/s.
   * @default - not managed
   */
  readonly rateLimit?: number;
  /**
   * The option host-tunnel of Proxmox.
   * @default - not managed
   */
  readonly hostTunnel?: boolean | IResolvable;
  /**
   * Cable unplugged.
   * @default - not managed
   */
  readonly linkDown?: boolean | IResolvable;
  /**
   * A static address of either family. Cloud-init sets it in the guest.
   * @default - not managed
   */
  readonly staticIP?: StaticIpProps;
  /**
   * IPv4 by DHCP, or static.
   * @default - not managed
   */
  readonly ipv4?: 'dhcp' | AddressProps;
  /**
   * IPv6 by DHCP, by router advertisement, or static.
   * @default - not managed
   */
  readonly ipv6?: 'dhcp' | 'auto' | AddressProps;
}
