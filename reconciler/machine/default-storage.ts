import { bootDiskSlot } from '../guest/slot-names';
import { readDrive } from '../guest/drive';
import type { Scene } from './scene';

/** Where small volumes and disks without a storage go: beside the root disk. Undefined: nothing says. */
export function defaultStorage({
  spec: { disks = [] },
  config,
}: Pick<Scene, 'spec' | 'config'>): string | undefined {
  const root =
    disks.find(({ name }) => name === 'root') ?? disks.find(({ storage }) => storage !== undefined);
  if (root?.storage !== undefined) return root.storage;
  const slot = bootDiskSlot(config);
  return slot === undefined
    ? disks.find(({ storage }) => storage !== undefined)?.storage
    : readDrive(config[slot]).storage;
}
