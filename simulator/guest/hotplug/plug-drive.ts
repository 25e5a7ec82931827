import { fail } from '../../failure';
import { generateCloudInit } from '../cloud-init/image';
import { registerUnusedDrive } from '../drives/detach';
import type { Drive } from '../drives/drive';
import { isCdrom, isCloudInit, parseDrive } from '../drives/drive';
import type { Plugging } from './plugging';
import { unplug } from './unplug';

const COLD = 'aio discard iothread queues product cache ssd vendor ro'.split(' ');

/** Changes a drive of a running guest: media and throttling at once, disks by replugging, the rest at the next start. */
export function plugDrive(plugging: Plugging, key: string, value: string): string | undefined {
  const { sim, guest, features } = plugging;
  if (key === 'efidisk0' || key === 'tpmstate0') return undefined;
  const wanted = parseDrive(key, value);
  if (isCloudInit(wanted)) {
    const withDrive = { ...guest, config: { ...guest.config, [key]: value } };
    generateCloudInit(sim, withDrive);
    guest.cloudInitImage = withDrive.cloudInitImage;
    delete guest.cloudInitChanges;
  }
  const now = guest.config[key];
  if (now !== undefined) {
    const old = parseDrive(key, now);
    if (isCdrom(wanted) !== isCdrom(old)) fail('unable to change media type');
    if (isCdrom(old)) return changeMedium(plugging, old, wanted, value);
    if (old.file === wanted.file) return isCold(old, wanted) ? undefined : value;
    if (!features.has('disk')) return undefined;
    unplug(sim, guest, key);
    registerUnusedDrive(sim, guest, old);
  }
  return features.has('disk') && /^(scsi|virtio)/.test(key) ? value : undefined;
}

function changeMedium({ sim, guest }: Plugging, old: Drive, wanted: Drive, value: string): string {
  // PVE: only an empty drive frees the cloud-init volume; another medium leaves it behind
  if (wanted.file === 'none' && isCloudInit(old)) registerUnusedDrive(sim, guest, old);
  return value;
}

function isCold(old: Drive, wanted: Drive): boolean {
  return COLD.some(option => old.options[option] !== wanted.options[option]);
}
