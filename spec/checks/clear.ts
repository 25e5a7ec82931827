import { DiskSpec } from '../machine/disk';
import { NetworkSpec } from '../machine/network';
import { closest } from '../reading/closest';
import type { MachineSpec } from '../machine/machine';
import { isRecord } from '../reading/path';
import type { Finding } from '../reading/problem';
import { pveKey } from '../values/pve-key';

const TOP =
  `acpi agent audio balloon bios bootOrder cdrom description display efiDisk ha hookScript hotplug hugepages
  keyboard kvm localtime machine memory onBoot osType pool protection rng scsiController serial shares smbios startup
  tablet tags tpm watchdog usb pci virtiofs`.split(/\s+/);
const CPU = `affinity cores flags guestPhysBits hidden hvVendorId level limit numa physBits sockets type
  units vcpus`.split(/\s+/);
const CLOUD_INIT = `dns metaData networkData passwordFrom sshKeys upgradePackages user userData
  vendorData`.split(/\s+/);
/** What a card and a disk are, and where: clear cannot name these of their fields. */
const NETWORK_KEEPS = 'bridge macAddress model name'.split(' ');
const DISK_KEEPS = 'allocation existingVolume format name onRemove size slot storage type'.split(' ');

const others = (fields: object, kept: readonly string[]): string[] =>
  Object.keys(fields)
    .filter(field => !kept.includes(field))
    .sort();

/** The fields that clear may name; `[…]` stands for the name of a network or disk. */
const clearable = (): string[] => [
  ...TOP,
  ...CPU.map(field => `cpu.${field}`),
  ...CLOUD_INIT.map(field => `cloudInit.${field}`),
  ...others(NetworkSpec.shape, NETWORK_KEEPS).map(field => `networks[…].${field}`),
  ...others(DiskSpec.shape, DISK_KEEPS).map(field => `disks[…].${field}`),
];

/** What clear names and cannot clear: no such field, not one that can go, or one that is also set. */
export function* clearFindings(machine: MachineSpec): Iterable<Finding> {
  if (machine.clear === undefined) return;
  const allowed = clearable();
  for (const named of machine.clear) {
    const about = { path: ['clear'], given: named };
    const [, list, entry] = /^(networks|disks)\[(.+)\]/.exec(named) ?? [];
    const general = named.replace(/\[.+\]/, '[…]');
    if (!allowed.includes(general) && !isOption(named)) {
      yield { ...about, reason: 'is no field that can be cleared', ...guess(general, entry, allowed) };
    } else if (list !== undefined && !entriesOf(machine, list).some(({ name }) => name === entry)) {
      const names = entriesOf(machine, list).map(({ name }) => name);
      yield {
        ...about,
        reason: `names none of the ${list}`,
        allowed: names.join(', ') || 'none',
        remedy: 'Name one of them, or remove it.',
      };
    } else if (isSet(machine, named)) {
      yield { ...about, reason: 'is also set', remedy: 'Set it or clear it, not both.' };
    } else if (named === 'efiDisk' && needsEfiDisk(machine)) {
      const remedy = 'Say bios "seabios", or do not clear it.';
      yield { ...about, reason: 'is made anew for a machine of UEFI', remedy };
    }
  }
}

function needsEfiDisk({ bios, secureBoot }: MachineSpec): boolean {
  return bios === 'uefi' || bios === 'ovmf' || secureBoot === true;
}

function guess(
  general: string,
  entry: string | undefined,
  allowed: readonly string[],
): { allowed?: string; remedy: string } {
  const near = closest(general, allowed);
  if (near === undefined) return { allowed: allowed.join(', '), remedy: 'Remove it.' };
  return { remedy: `Did you mean "${entry === undefined ? near : near.replace('…', entry)}"?` };
}

/** True for a key of PVE that options may hold. */
function isOption(named: string): boolean {
  const found = named.startsWith('options.') ? pveKey(named.slice('options.'.length)) : undefined;
  return found !== undefined && found.key.field === undefined && found.key.reserved === undefined;
}

function entriesOf(machine: MachineSpec, list: string) {
  return (list === 'disks' ? machine.disks : machine.networks) ?? [];
}

function isSet(machine: MachineSpec, named: string): boolean {
  const [, head = '', entry, field] = /^([a-zA-Z]+)(?:\[(.+)\])?(?:\.(.+))?$/.exec(named) ?? [];
  const top: unknown = new Map<string, unknown>(Object.entries(machine)).get(head);
  const holder = entry === undefined ? top : entriesOf(machine, head).find(({ name }) => name === entry);
  if (field === undefined) return holder !== undefined;
  return isRecord(holder) && holder[field] !== undefined;
}
