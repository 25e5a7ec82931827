import { parsePropertyString, printPropertyString } from '../../schema/property-string';
import { splitList } from '../../perl-text';
import type { Config } from '../../world';
import { DRIVE_KEYS, isCdrom, isDriveKey, parseDrive } from './drive';

/** The devices of a boot value, in order; empty for a legacy value or none. */
export function bootOrderOf(boot: string | undefined): string[] {
  if (boot === undefined) return [];
  return splitList(parsePropertyString('pve-qm-boot', boot)['order'] ?? '');
}

/** The boot value for these devices; empty for none. */
export function printBootOrder(devices: string[]): string {
  return devices.length === 0 ? '' : printPropertyString('pve-qm-boot', { order: devices.join(';') });
}

/** What a new guest boots from when nobody says: the first disk, the first CD-ROM, the first network device. */
export function defaultBootOrder(config: Config): string {
  const drives = DRIVE_KEYS.filter(key => config[key] !== undefined && !/^(efidisk|tpmstate)/.test(key));
  const isCd = (key: string): boolean => isCdrom(parseDrive(key, config[key] ?? ''));
  const nets = Object.keys(config)
    .filter(key => /^net\d+$/.test(key))
    .sort((left, right) => Number(left.slice(3)) - Number(right.slice(3)));
  const devices = [drives.find(key => !isCd(key)), drives.find(isCd), nets[0]];
  return printBootOrder(devices.filter(device => device !== undefined));
}

/** The drives that a running guest may have booted from: they are never unplugged. */
export function bootDisks(config: Config): string[] {
  const { boot, bootdisk } = config;
  const values = boot === undefined ? {} : parsePropertyString('pve-qm-boot', boot);
  if (boot === undefined || values['legacy'] !== undefined) return bootdisk === undefined ? [] : [bootdisk];
  return splitList(values['order'] ?? '').filter(isDriveKey);
}
