import { PveError, TaskError } from './errors';

/** Why Proxmox does not destroy a guest yet, by the texts that say so, each with the file that emits it (PVE 9.2). */
const TEXTS: [RegExp, 'running' | 'in-use'][] = [
  // qemu-server API2/Qemu.pm destroy_vm
  [/^VM \d+ is running - destroy failed/, 'running'],
  // pve-storage: a base volume, a ZFS dataset, an LVM volume, an RBD image that somebody has open
  [/^base volume '.*' is still in use by linked cloned/, 'in-use'],
  [/dataset is busy/, 'in-use'],
  // assumed: no recording shows the next two
  [/Logical volume .* in use/, 'in-use'],
  [/image has watchers|image still has watchers/, 'in-use'],
];

/** Why a destroy was refused for now; undefined for every other failure. */
export function destroyHindrance(error: unknown): 'running' | 'in-use' | undefined {
  if (!(error instanceof PveError) && !(error instanceof TaskError)) return undefined;
  const text = error instanceof PveError ? error.facts.text : error.task.exitStatus;
  return TEXTS.find(([pattern]) => pattern.test(text.trim()))?.[1];
}
