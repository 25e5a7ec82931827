import type { Configuration } from './configuration';
import { isOwnVolume, readDrive } from './drive';
import { isUnusedKey } from './key-kinds';

/** A volume that was detached: Proxmox keeps it as `unusedN`. */
export interface UnusedVolume {
  slot: string;
  file: string;
}

/** The detached volumes that a configuration names, of whatever guest they are. */
export function unusedVolumes(config: Configuration): UnusedVolume[] {
  return Object.entries(config).flatMap(([slot, text]) =>
    isUnusedKey(slot) ? [{ slot, file: readDrive(text).file }] : [],
  );
}

/** Those that were made for this guest. */
export function ownUnusedVolumes(config: Configuration, vmid: number): UnusedVolume[] {
  return unusedVolumes(config).filter(({ file }) => isOwnVolume(file, vmid));
}
