import { isRootUser, requirePrivileges } from '../../access/privileges';
import { fail, failParameters } from '../../failure';
import type { Config } from '../../world';
import { configValues } from '../keys/schema';
import type { Writer } from './key-permissions';
import { requireOnGuest } from './key-permissions';
import { isCdrom, isCloudInit, parseDrive } from '../drives/drive';

type Check = (writer: Writer, key: string, value: string) => void;

const CHECKS: readonly (readonly [RegExp, Check])[] = [
  [/^usb\d+$/, requireUsb],
  [/^hostpci\d+$/, requireHostPci],
  [/^rng\d+$/, requireRng],
  [/^virtiofs\d+$/, requireDirectory],
];

/** Fails unless the writer may give a guest this device of its host, or take it away. Other keys pass. */
export function requireDevice(writer: Writer, key: string, value: string | undefined): void {
  if (value === undefined || isRootUser(writer.user)) return;
  CHECKS.find(([pattern]) => pattern.test(key))?.[1](writer, key, value);
}

/** Fails unless the writer may give a new guest all its devices. */
export function requireNewDevices(writer: Writer, settings: Config): void {
  if (isRootUser(writer.user)) return;
  for (const [key, value] of Object.entries(settings)) {
    if (/^serial\d+$/.test(key)) {
      if (value !== 'socket') fail(`only root can set '${key}' config for real devices`);
      requireOnGuest(writer, ['VM.Config.HWType']);
    }
    requireDevice(writer, key, value);
  }
}

/** Fails unless the writer may change a drive with this value: cloud-init, CD-ROM and disk have privileges of their own. */
export function requireDrive(writer: Writer, key: string, value: string): void {
  const drive = parseDrive(key, value);
  const cdrom = isCdrom(drive, true);
  const privileges = isCloudInit(drive)
    ? ['VM.Config.Cloudinit', 'VM.Config.CDROM']
    : [cdrom ? 'VM.Config.CDROM' : 'VM.Config.Disk'];
  requireOnGuest(writer, privileges);
}

function requireUsb(writer: Writer, key: string, value: string): void {
  requireOnGuest(writer, ['VM.Config.HWType']);
  const { host, mapping } = configValues(key, value);
  if (host !== undefined) {
    if (!/^spice$/i.test(host)) fail(`only root can set '${key}' config for real devices`);
  } else if (mapping === undefined) fail("either 'host' or 'mapping' must be set.");
  else requirePrivileges(writer.sim, writer.user, `/mapping/usb/${mapping}`, ['Mapping.Use']);
}

function requireHostPci(writer: Writer, key: string, value: string): void {
  const { host, mapping, romfile } = configValues(key, value);
  if (host !== undefined) fail(`only root can set '${key}' config for non-mapped devices`);
  if (mapping === undefined) fail("either 'host' or 'mapping' must be set.");
  requirePrivileges(writer.sim, writer.user, `/mapping/pci/${mapping}`, ['Mapping.Use']);
  requireOnGuest(writer, ['VM.Config.HWType']);
  if (romfile !== undefined) failParameters({ [key]: "only root@pam can set 'romfile' option" });
}

function requireRng(writer: Writer, key: string, value: string): void {
  requireOnGuest(writer, ['VM.Config.HWType']);
  if (configValues(key, value)['source'] === '/dev/hwrng') {
    requirePrivileges(writer.sim, writer.user, '/mapping/hwrng', ['Mapping.Use']);
  }
}

function requireDirectory(writer: Writer, key: string, value: string): void {
  requireOnGuest(writer, ['VM.Config.Disk']);
  const { dirid } = configValues(key, value);
  requirePrivileges(writer.sim, writer.user, `/mapping/dir/${dirid}`, ['Mapping.Use']);
}
