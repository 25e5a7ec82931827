import type { Sim } from '../../cluster/sim';
import { trySplitVolumeId } from '../../storage/volumes/name';
import { findVolume } from '../../storage/volumes/volumes';
import type { Config, Guest, GuestCard } from '../../world';
import { drivesOf, isCdrom, isCloudInit } from '../drives/drive';
import type { IsoContent } from './iso9660';
import { readIso } from './iso9660';
import { isNetKey, parseNet } from '../keys/net';
import { addressesOf } from './network-config';
import { dhcpAddress, stableAddress } from './address';

/** What the guest's system makes of its network cards when it boots: from a NoCloud image, from Proxmox's cloud-init values, else by DHCP. */
export function cardsAtBoot(sim: Sim, guest: Guest): GuestCard[] {
  const seed = seedOf(sim, guest);
  const network = seed?.files.get('network-config')?.toString('utf8');
  const cards = Object.keys(guest.config)
    .filter(isNetKey)
    .sort((left, right) => Number(left.slice(3)) - Number(right.slice(3)));
  return cards.map((key, position) => {
    const { macaddr = '', link_down: down } = parseNet(guest.config[key] ?? '');
    const mac = macaddr.toLowerCase();
    const name = `eth${position}`;
    if (down === '1') return { name, mac, addresses: [] };
    const wanted =
      network === undefined ? fromConfig(guest, key.slice(3), position) : addressesOf(network, mac, name);
    return { name, mac, addresses: wanted.flatMap(address => realAddress(address, mac)) };
  });
}

/** The name that the guest's system gives itself. */
export function hostName(sim: Sim, guest: Guest): string {
  const meta = seedOf(sim, guest)?.files.get('meta-data')?.toString('utf8') ?? '';
  const named = /local-hostname"?\s*:\s*["']?([^\s"',}]+)/.exec(meta)?.[1];
  return (named ?? guest.config['name'] ?? `VM${guest.vmid}`).split('.')[0] ?? '';
}

/** The image with the label that cloud-init looks for, in any of the guest's CD-ROM drives. */
function seedOf(sim: Sim, guest: Guest): IsoContent | undefined {
  for (const drive of drivesOf(guest.config)) {
    if (!isCdrom(drive) || isCloudInit(drive) || !trySplitVolumeId(drive.file)) continue;
    const text = findVolume(sim, guest.node, drive.file)?.text;
    const content = text === undefined ? undefined : readIso(Buffer.from(text, 'latin1'));
    if (content?.label.toLowerCase() === 'cidata') return content;
  }
  return undefined;
}

function fromConfig(guest: Guest, index: string, position: number): string[] {
  const hasDrive = drivesOf(guest.config).some(isCloudInit);
  // without any instruction a cloud image asks for an address on its first card
  if (!hasDrive) return position === 0 ? ['dhcp4'] : [];
  const values: Config = guest.cloudInitImage ?? guest.config;
  const text = values[`ipconfig${index}`];
  if (text === undefined) return [];
  const parts = new Map(text.split(',').map(part => [part.split('=')[0], part.split('=')[1]] as const));
  const [ip, ip6] = [parts.get('ip'), parts.get('ip6')];
  return [
    ...(ip === undefined ? [] : [ip === 'dhcp' ? 'dhcp4' : ip]),
    ...(ip6 === undefined ? [] : [ip6 === 'dhcp' ? 'dhcp6' : ip6]),
  ];
}

function realAddress(address: string, mac: string): string[] {
  if (address === 'dhcp4' || address === 'dhcp') return [dhcpAddress(mac)];
  if (address === 'dhcp6' || address === 'auto') return [stableAddress('fd00:', mac)];
  return [address];
}
