import { fail } from '../../failure';
import { parsePropertyString } from '../../schema/property-string';
import type { Config } from '../../world';
import { configFormat } from './schema';

/** The facts of QemuServer/Memory.pm: what a guest with hot-plugged memory has at least, at most, and in which pieces. */

export const MAX_MIB = 4 * 1024 * 1024;

const STATIC_MIB = 1024;
const MODULES = 32;
const KINDS = 8;

const hasHugePages = (config: Config): boolean => config['hugepages'] === '1024';

/** The memory that is no module. */
export function staticMemory(config: Config): number {
  return hasHugePages(config) ? STATIC_MIB * Number(config['sockets'] ?? 1) : STATIC_MIB;
}

/** The `memory` key in MiB. */
export function mebibytes(memory: string): number {
  return Number(parsePropertyString(configFormat('memory') ?? '', memory)['current']);
}

/** The memory after each module, up to the first that suffices: 32 modules of each size, each size twice the last. */
export function modulesUpTo(config: Config, enough: number): { size: number; total: number }[] {
  const modules: { size: number; total: number }[] = [];
  const smallest = hasHugePages(config) ? 1024 : 512;
  for (let total = staticMemory(config); total < enough && modules.length < MODULES * KINDS;) {
    const size = smallest * 2 ** Math.floor(modules.length / MODULES);
    total += size;
    modules.push({ size, total });
  }
  return modules;
}

/** Fails when modules cannot add up to this memory exactly (recording g2, steps 6 and 9). */
export function checkModules(config: Config, memory: number): void {
  const last = modulesUpTo(config, memory).at(-1);
  if (last && last.total > memory)
    fail(`memory size (${memory}) must be aligned to ${last.size} for hotplugging`);
}
