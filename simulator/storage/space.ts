import { fail } from '../failure';
import type { Sim } from '../sim';
import type { Storage } from '../world';
import { spaceOf } from './storage-on';

const MiB = 1024 ** 2;

/** Fails as the storage's own tool does when so many bytes more do not fit. */
export function checkSpace(sim: Sim, node: string, storage: Storage, name: string, bytes: number): void {
  const { avail } = spaceOf(sim, node, storage);
  if (bytes <= avail && avail > 0) return;
  fail((TEXTS[storage.type] ?? fileText)(name, bytes, avail));
}

type Text = (name: string, bytes: number, avail: number) => string;

// assumed: the tools' own words, no recording holds them
const fileText: Text = name =>
  `unable to create image: qemu-img: ${name}: Could not write to file: No space left on device`;

const TEXTS: Record<string, Text> = {
  lvmthin: name =>
    `lvcreate 'pve/${name}' error:   Cannot create new thin volume, free space in thin pool pve/data reached threshold.`,
  lvm: (name, bytes, avail) =>
    `lvcreate 'pve/${name}' error:   Volume group "pve" has insufficient free space (${Math.floor(avail / (4 * MiB))} extents): ${Math.ceil(bytes / (4 * MiB))} required.`,
  zfspool: name => `zfs error: cannot create 'rpool/data/${name}': out of space`,
};
