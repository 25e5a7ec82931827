import type { Effect } from '../action';
import { propertiesOf, type Configuration } from './configuration';
import { placeName, valueAt } from './meaning';
import type { Want } from './want';

/** Keys that Proxmox applies at once, running or not. cloud-init's are among them: the drive lags, not the key. */
const ALWAYS_LIVE = new Set(
  `ciuser cipassword cicustom citype ciupgrade description hookscript migrate_downtime migrate_speed name
  nameserver onboot protection searchdomain shares sshkeys startup tags vmstatestorage ipconfig[n]`.split(
    /\s+/,
  ),
);
const LIVE = new Set([...ALWAYS_LIVE, 'cpulimit', 'cpuunits', 'agent.fstrim_cloned_disks', 'unused[n]']);
/** Properties of a drive whose change waits for a restart, with the whole line. */
const DRIVE_PENDS = new Set(
  'aio cache detect_zeroes discard iothread product queues ro ssd vendor'.split(' '),
);

/** Whether Proxmox applies this key at once for sure, so that a write of it needs no reading after it. */
export function isAlwaysLive(key: string): boolean {
  return ALWAYS_LIVE.has(placeName({ key }));
}

/** What a change costs a guest that runs with this configuration; a guest that is off pays nothing. */
export function effectOn(config: Configuration, running: boolean): (want: Want) => Effect {
  return want => (!running || isLive(want, config) ? 'live' : 'restart');
}

function isLive(want: Want, config: Configuration): boolean {
  const general = placeName({ key: want.key });
  if (LIVE.has(general) || LIVE.has(placeName(want))) return true;
  const rule = RULES[general];
  return rule !== undefined && rule(want, config);
}

type Rule = (want: Want, config: Configuration) => boolean;

/** Whether the guest was started with a kind of hotplug. */
function plugs(config: Configuration, feature: string): boolean {
  const said = config.hotplug ?? '1';
  return (said === '1' ? 'network,disk,usb' : said).split(',').includes(feature);
}

const hotDrive: Rule = (want, config) =>
  isKept(want, config) ? !DRIVE_PENDS.has(want.property ?? '') : plugs(config, 'disk');
// Assumed of cdrom and none: the medium of a drive that is there changes live
const coldDrive: Rule = (want, config) => isKept(want, config) && !DRIVE_PENDS.has(want.property ?? '');

function isKept(want: Want, config: Configuration): boolean {
  return config[want.key] !== undefined && want.property !== undefined;
}

/** Keys that may be live, and when (PVE: hotplug of 9.2). What stands nowhere here waits for a restart. */
const RULES: Readonly<Record<string, Rule>> = {
  balloon: (want, config) => (config.balloon === '0') === (want.value === 0),
  hotplug: (want, config) => {
    const wanted = String(want.value ?? 'network,disk,usb').split(',');
    return ['cpu', 'memory'].every(feature => wanted.includes(feature) === plugs(config, feature));
  },
  'ide[n]': coldDrive,
  memory: (_, config) => plugs(config, 'memory') && valueAt(config, { key: 'numa' }) === '1',
  'net[n]': (_, config) => plugs(config, 'network'),
  'sata[n]': coldDrive,
  'scsi[n]': hotDrive,
  'usb[n]': (_, config) => plugs(config, 'usb') && plugsUsb(config),
  vcpus: (_, config) => plugs(config, 'cpu'),
  'virtio[n]': hotDrive,
};

function plugsUsb(config: Configuration): boolean {
  const version = /-(\d+)\.(\d+)/.exec(String(propertiesOf('machine', config.machine).type ?? ''));
  const recent = !version || Number(version[1]) * 100 + Number(version[2]) >= 701;
  return recent && /^(?:l26|win(?:8|10|11))$/.test(config.ostype ?? '');
}
