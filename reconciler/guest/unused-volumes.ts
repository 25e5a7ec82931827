import type { Configuration } from './configuration';
import type { ObservedGuest } from '../observed';
import { isOwnVolume, readDrive } from './drive';
import { isBroughtBack } from './generation';
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

/**
 * The volumes of a guest that its mark wants deleted. None of a mark that a restore from a backup brought back: Proxmox takes
 * the first free name for a new volume, and so another disk may have that name since.
 */
export function volumesToFree(mark: ObservedGuest['mark'], running: Configuration): readonly string[] {
  return isBroughtBack(mark?.volumesGeneration, running) ? [] : (mark?.volumesToDelete ?? []);
}
