import { readFileSync } from 'node:fs';
import { loadWorld } from './load-world';
import type { World } from './world';

/** Reads a world file. Fails with the file's name and what is wrong in it. */
export function readWorld(path: string): World {
  try {
    return loadWorld(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
