import { readFileSync } from 'node:fs';
import type { Administrator } from '../administrators/administrator';
import { readAdministrators } from '../administrators/read';
import type { Fault } from '../faults/fault';
import { readFaults } from '../faults/read';
import { loadWorld } from '../world-file/load';
import type { World } from '../world';
import { UsageError } from './usage-error';

/** Reads a world file. Fails with the file's name and what is wrong in it. */
export function readWorldFile(path: string): World {
  return understand(path, loadWorld);
}

/** Reads a file of faults. Fails with the file's name and what is wrong in it. */
export function readFaultsFile(path: string): Fault[] {
  return understand(path, readFaults);
}

/** Reads a file of administrators. Fails with the file's name and what is wrong in it. */
export function readAdministratorsFile(path: string): Administrator[] {
  return understand(path, readAdministrators);
}

/** Reads JSON and makes sense of it; whatever is wrong with it is the caller's to mend. */
export function understand<T>(path: string, make: (json: unknown) => T): T {
  try {
    return make(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
