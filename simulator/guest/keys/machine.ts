import { fail } from '../../failure';
import { parsePropertyString, printPropertyString } from '../../schema/property-string';
import { configFormat } from './schema';
import { QEMU_VERSION } from '../qemu/process';

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
