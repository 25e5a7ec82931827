import { CloudInitSpec } from '../machine/cloud-init';
import { CpuSpec } from '../machine/cpu';
import { DiskSpec } from '../machine/disk';
import { NetworkSpec } from '../machine/network';
import { closest } from '../reading/closest';
import { MachineSpec } from '../machine/machine';
import { isRecord } from '../reading/path';
import type { Finding } from '../reading/problem';
import { pveKey } from '../values/pve-key';

/** What clear cannot name: what has no key of its own in Proxmox, and what a machine, a card or a disk is, and where. */
const KEPT =
  `id formerIds name cluster vmid adopt asTemplate node pin placement image onImageChange cpu disks networks labels
  rebuildOn mode power shutdownTimeout forceStop restart keptVolumes timeouts snapshotBeforeChange secureBoot cloudInit
  waitFor options revertTo clear`.split(/\s+/);
const CPU_KEPT = ['threadsPerCore'];
const CLOUD_INIT_KEPT = `passwordVersion userDataFrom networkDataFrom vendorDataFrom metaDataFrom storage
  waitForCompletion`.split(/\s+/);
const NETWORK_KEPT = 'bridge macAddress model name'.split(' ');
const DISK_KEPT = 'allocation existingVolume format name onRemove size slot storage type'.split(' ');

const others = (fields: object, kept: readonly string[]): string[] =>
  Object.keys(fields)
    .filter(field => !kept.includes(field))
    .sort();

/** The fields that clear may name; `[…]` stands for the name of a network or disk. */
const clearable = (): string[] => [
  ...others(MachineSpec.shape, KEPT),
  ...others(CpuSpec.shape, CPU_KEPT).map(field => `cpu.${field}`),
  ...others(CloudInitSpec.shape, CLOUD_INIT_KEPT).map(field => `cloudInit.${field}`),
  ...others(NetworkSpec.shape, NETWORK_KEPT).map(field => `networks[…].${field}`),
  ...others(DiskSpec.shape, DISK_KEPT).map(field => `disks[…].${field}`),
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
