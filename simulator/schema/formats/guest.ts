import { parseDiskSize } from './disk-size';
import type { CodeFormat } from './network';
import { format } from './network';
import { splitList } from '../../perl-text';

const VOLUME_ID = /^([a-z][a-z0-9\-_.]*[a-z0-9]):(.+)$/i;
const DRIVE_COUNTS: Record<string, number> = { ide: 4, sata: 6, scsi: 31, virtio: 16 };
const BOOT_DEVICE_COUNTS: Record<string, number> = { ...DRIVE_COUNTS, net: 32, usb: 14, hostpci: 16 };

function indexed(counts: Record<string, number>, value: string): boolean {
  const [, kind = '', index = ''] = /^([a-z]+)(0|[1-9]\d*)$/.exec(value) ?? [];
  return Number(index) < (counts[kind] ?? 0) && index !== '';
}

const wrongVolume = format(VOLUME_ID, value => `unable to parse volume ID '${value}'`);
const wrongVolumeOrPath: CodeFormat = value => (value.startsWith('/') ? undefined : wrongVolume(value));
const wrongDrivePath: CodeFormat = value =>
  value === 'none' || value === 'cdrom' ? undefined : wrongVolumeOrPath(value);

function wrongHotplug(value: string): string | undefined {
  if (value === '0' || value === '1') return undefined;
  const known = ['network', 'disk', 'cpu', 'memory', 'usb', 'cloudinit'];
  const unknown = splitList(value).find(feature => !known.includes(feature));
  return unknown === undefined ? undefined : `invalid hotplug feature '${unknown}'`;
}

/** Whether the value is a CPU set such as 0,2-4. */
function isCpuSet(value: string): boolean {
  return value.split(',').every(part => {
    const [, start, end = start] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? [];
    return value === '' || (start !== undefined && Number(end) >= Number(start));
  });
}

function isStartupOrder(value: string): boolean {
  if (value === '' || value === '0') return false;
  return value.split(',').every(part => /^\s*$|^(order=)?\d+$|^up=\d+$|^down=\d+$/.test(part));
}

/** Formats of guests' values and volumes, with Proxmox's texts. */
export const GUEST_FORMATS: Record<string, CodeFormat> = {
  'pve-vmid': format(/^[1-9][0-9]{2,8}\n?$/, 'value does not look like a valid VM ID'),
  'pve-volume-id': wrongVolume,
  'pve-volume-id-or-absolute-path': wrongVolumeOrPath,
  'pve-volume-id-or-qm-path': wrongDrivePath,
  'pve-qm-bootdisk': format(
    value => indexed(DRIVE_COUNTS, value),
    value => `invalid boot disk '${value}'`,
  ),
  'pve-qm-bootdev': format(
    value =>
      indexed(BOOT_DEVICE_COUNTS, value) || /^unused([0-9]|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])$/.test(value),
    value => `invalid boot device '${value}'`,
  ),
  'pve-hotplug-features': wrongHotplug,
  'pve-startup-order': format(isStartupOrder, 'unable to parse startup options'),
  'pve-cpuset': format(isCpuSet, 'unable to parse cpuset option'),
  'pve-phys-bits': format(
    value => value === 'host' || (/^\d{1,2}$/.test(value) && Number(value) >= 8 && Number(value) <= 64),
    "value must be an integer between 8 and 64 or 'host'",
  ),
  'pve-tag': format(/^[a-z0-9_][a-z0-9_\-+.]*\n?$/i, 'invalid characters in tag'),
  'disk-size': format(
    value => parseDiskSize(value) !== undefined,
    value => `value does not look like a valid disk size: ${value}`,
  ),
  urlencoded: format(/^[-%a-zA-Z0-9_.!~*'()]*\n?$/, value => `invalid urlencoded string: ${value}`),
};
