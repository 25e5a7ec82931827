import { existsSync } from 'node:fs';
import { defaultWorld } from '../default-world/cluster';
import type { World } from '../world';
import { closest } from '../world-file/closest';
import { namedWorld, WORLD_NAMES } from '../worlds/named';
import type { CliOptions } from './options';
import { readWorldFile } from './read-files';
import { UsageError } from './usage-error';
import { warn } from './warn';

/**
 * The world that a cluster begins with. A name is the same world in whatever folder the program is started: a file of
 * that name does not win, and is said by its path.
 */
export function firstWorld({ world, nodes, guests }: Pick<CliOptions, 'world' | 'nodes' | 'guests'>): World {
  if (world === undefined) return defaultWorld(nodes, guests);
  const named = namedWorld(world);
  if (named && existsSync(world))
    warn(`${world} is the world of that name, not the file in this folder. For the file: --world ./${world}`);
  return named ?? readFile(world);
}

function readFile(path: string): World {
  const isName = /^[\w.-]+$/.test(path) && !path.endsWith('.json');
  if (!isName || existsSync(path)) return readWorldFile(path);
  const near = closest(path, WORLD_NAMES);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new UsageError(
    `there is no world and no file '${path}'.${hint} The worlds are ${WORLD_NAMES.join(', ')}.`,
  );
}
