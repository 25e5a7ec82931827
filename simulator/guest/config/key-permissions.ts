import { waysOn } from '../../access/asked/asked';
import { hasOneWay, isRootUser, requirePrivileges } from '../../access/privileges';
import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { isDriveKey } from '../drives/drive';

/** Who writes to which guest; the pool that a new guest will be in counts as well. */
export interface Writer {
  sim: Sim;
  user: string;
  vmid: number;
  pool?: string;
}

/** Fails unless the writer has these privileges on the guest or on the pool. */
export function requireOnGuest({ sim, user, vmid, pool }: Writer, privs: string[], any = false): void {
  const paths = [`/vms/${vmid}`, ...(pool === undefined ? [] : [`/pool/${pool}`])];
  if (
    pool !== undefined &&
    hasOneWay(
      sim,
      user,
      paths.flatMap(path => waysOn(path, privs, any)),
    )
  )
    return;
  requirePrivileges(sim, user, `/vms/${vmid}`, privs, any);
}

const words = (text: string): string => `^(?:${text.split(' ').join('|')})$`;

/** What each key needs. Keys that are missing here belong to root@pam; drives, devices and tags are checked by value. */
const NEEDS: readonly (readonly [RegExp, string[], boolean?])[] = [
  [
    RegExp(words('cores cpu runningcpu cpulimit cpuunits numa numa\\d+ smp sockets vcpus')),
    ['VM.Config.CPU'],
  ],
  [RegExp(words('memory balloon shares allow-ksm')), ['VM.Config.Memory']],
  [
    RegExp(words('acpi hotplug kvm machine runningmachine scsihw smbios1 tablet vga watchdog audio0 rng0')),
    ['VM.Config.HWType'],
  ],
  [
    RegExp(
      words(
        'agent autostart bios description keyboard localtime migrate_downtime migrate_speed name onboot ostype protection reboot startdate startup tdf template',
      ),
    ),
    ['VM.Config.Options'],
  ],
  [/^freeze$/, ['VM.PowerMgmt']],
  [RegExp(words('boot bootdisk vmstatestorage')), ['VM.Config.Disk']],
  [/^net\d+$|^running-nets-host-mtu$/, ['VM.Config.Network']],
  [
    RegExp(words('cicustom cipassword citype ciuser ciupgrade nameserver searchdomain sshkeys ipconfig\\d+')),
    ['VM.Config.Cloudinit', 'VM.Config.Network'],
    true,
  ],
  [/^vmstate$/, ['VM.Config.Disk', 'VM.PowerMgmt']],
];

const CHECKED_BY_VALUE = /^(?:cdrom|tags|(?:unused|serial|usb|hostpci|virtiofs)\d+)$/;

/** Fails unless the writer may set or delete these keys, whatever their values. */
export function requireKeys(writer: Writer, keys: string[]): void {
  if (isRootUser(writer.user)) return;
  for (const key of keys) {
    if (isDriveKey(key) || CHECKED_BY_VALUE.test(key)) continue;
    const need = NEEDS.find(([pattern]) => pattern.test(key));
    if (!need) fail(`only root can set '${key}' config`);
    requireOnGuest(writer, need[1], need[2]);
    // the order of starts is the host's business too
    if (key === 'startup') requirePrivileges(writer.sim, writer.user, '/', ['Sys.Modify']);
  }
}
