import type { Sameness } from './pve-key';

type Same = (want: string, have: string) => boolean;

/** Whether two texts mean the same to Proxmox, by the way in which the table says that they compare. */
export const SAME: Readonly<Record<Sameness, Same>> = {
  address: by(canonicalAddress),
  addresses: by(text => words(text).map(canonicalAddress).join(' ')),
  'any case': by(text => text.toLowerCase()),
  set: by(set),
  hotplug: by(text => set(text === '1' ? 'network,disk,usb' : text === '0' ? '' : text)),
  words: by(text => words(text).join(' ')),
  'ssh keys': by(text => sshKeys(text).join('\n')),
  // PVE pins the chipset of a Windows guest to a version at its creation: a want without a version takes any
  chipset: (want, have) => chipset(want) === chipset(have) && (!/-\d/.test(want) || want === have),
};

function by(read: (text: string) => string): Same {
  return (want, have) => read(want) === read(have);
}

function words(text: string): string[] {
  return text.trim().split(/[\s,;]+/);
}

/** An IPv6 address, with or without its prefix, in the one short form; everything else as it is. */
function canonicalAddress(text: string): string {
  const [address = '', ...prefix] = text.toLowerCase().split('/');
  if (!address.includes(':') || !URL.canParse(`http://[${address}]`)) return text;
  return [new URL(`http://[${address}]`).hostname.slice(1, -1), ...prefix].join('/');
}

function set(text: string): string {
  const members = text.toLowerCase().split(/[;, ]+/);
  return [...new Set(members.filter(Boolean))].sort().join(' ');
}

/** The keys of `sshkeys`, which Proxmox holds percent-encoded in one text. */
export function sshKeys(text: string): string[] {
  return decoded(text)
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function chipset(type: string): string {
  return type
    .replace(/-\d.*$/, '')
    .replace(/^pc$/, 'pc-i440fx')
    .replace(/^q35$/, 'pc-q35');
}
