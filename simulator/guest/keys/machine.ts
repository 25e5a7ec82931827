import { fail } from '../../failure';
import { parsePropertyString, printPropertyString } from '../../schema/property-string';
import { configFormat } from './schema';
import { QEMU_VERSION } from '../qemu/process';
import type { Config } from '../../world';

const FORMAT = configFormat('machine') ?? '';

/** Whether the guest's system is some Windows. */
export function isWindows(ostype: string | undefined): boolean {
  return ostype !== undefined && /^(w2k|w2k3|w2k8|wvista|wxp|win\d+)$/.test(ostype);
}

/** Fails for a machine that contradicts itself. */
export function checkMachine(text: string): void {
  const { type = '', viommu } = parsePropertyString(FORMAT, text);
  if (viommu === 'intel' && !type.includes('q35')) {
    fail('to use Intel vIOMMU please set the machine type to q35');
  }
}

/** The machine value for a guest: a Windows guest's unversioned machine is pinned to the present version. */
export function pinnedMachine(
  machine: string | undefined,
  ostype: string | undefined,
  log: (line: string) => void,
): string {
  const values = machine === undefined ? {} : parsePropertyString(FORMAT, machine);
  const type = values['type'];
  if (isWindows(ostype) && (type === undefined || /^(pc|q35|virt)$/.test(type))) {
    values['type'] = versioned(type ?? 'pc');
    log(`pinning machine type to '${values['type']}' for Windows guest OS`);
  }
  const text = printPropertyString(FORMAT, values);
  if (text !== '') checkMachine(text);
  return text;
}

function versioned(type: string): string {
  const version = QEMU_VERSION.split('.').slice(0, 2).join('.');
  const name: Record<string, string> = { pc: 'pc-i440fx', q35: 'pc-q35' };
  return `${name[type] ?? type}-${version}`;
}

/** The versioned machine that qemu is started with: what the configuration pins, else the newest. PVE: get_vm_machine */
export function startedMachine({ machine = 'pc', ostype, meta = '' }: Config): string {
  const type = parsePropertyString(FORMAT, machine)['type'] ?? 'pc';
  const isPlain = /^(pc|q35|virt)$/.test(type);
  const created = /(?:^|,)creation-qemu=(\d+\.\d+)/.exec(meta)?.[1];
  if (isPlain && isWindows(ostype)) return `${family(type)}-${created ?? '5.1'}+pve0`;
  if (isPlain) return `${family(type)}-${QEMU}+pve${highestRevision(QEMU)}`;
  if (/\+pve\d+(\.pxe)?$/.test(type)) return type;
  return type.replace(/(\.pxe)?$/, '+pve0$1');
}

const QEMU = QEMU_VERSION.split('.').slice(0, 2).join('.');
const family = (type: string): string => ({ pc: 'pc-i440fx', q35: 'pc-q35' })[type] ?? type;

/** Revisions that Proxmox made of a QEMU's machines. PVE: Machine.pm, $PVE_MACHINE_VERSION */
const REVISIONS: Record<string, number> = { '4.1': 2, '9.2': 1, '10.0': 1, '11.0': 2 };
const highestRevision = (version: string): number => REVISIONS[version] ?? 0;

const asNumber = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 100 + minor;
};

/** The version of the machine as a number: 1001 for 10.1. A machine without one is the newest. */
export function versionOf(config: Config): number {
  return asNumber(/-(\d+\.\d+)/.exec(startedMachine(config))?.[1] ?? QEMU);
}

/** Fails for a machine that is newer than the node's qemu or Proxmox. Recording g9, step 10. */
export function checkMachineVersion(config: Config, node: string): void {
  const type = startedMachine(config);
  const [, version = QEMU, revision = '0'] = /-(\d+\.\d+)(?:\+pve(\d+))?/.exec(type) ?? [];
  const remedy = `is too old to run machine type '${type}', please upgrade node '${node}'`;
  if (asNumber(version) > asNumber(QEMU)) fail(`Installed QEMU version '${QEMU_VERSION}' ${remedy}`);
  const highest = highestRevision(version);
  if (Number(revision) > highest)
    fail(`Installed qemu-server (max feature level for ${version} is pve${highest}) ${remedy}`);
}

/** Whether the guest's system is a Linux, or a Windows after 7. */
export function isRecentSystem(ostype: string | undefined): boolean {
  return ostype === 'l26' || /^win(8|10|11)$/.test(ostype ?? '');
}
