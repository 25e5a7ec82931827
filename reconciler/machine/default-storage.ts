import { bootDiskSlot } from '../guest/slot-names';
import { readDrive } from '../guest/drive';
import type { Scene } from './scene';

/** Where small volumes and disks without a storage go: beside the root disk. Undefined: nothing says. */
export function defaultStorage({ spec, next }: Pick<Scene, 'spec' | 'next'>): string | undefined {
  const { disks = [] } = spec;
  const root = disks.find(({ name }) => name === 'root');
  const first = disks.find(({ storage }) => storage !== undefined)?.storage;
  const said = root === undefined ? first : root.storage;
  if (said !== undefined) return said;
  const slot = bootDiskSlot(next);
  return slot === undefined ? first : readDrive(next[slot]).storage;
}
