import type { Sim } from '../../cluster/sim';
import { fail } from '../../failure';
import { readPropertyString } from '../../schema/check-value';
import type { TaskContext } from '../../tasks/task';
import { contentOf, storageOn, volumesOn } from '../../storage/on-node';
import { markedForPruning, type PruneEntry } from './pruning';
import { freeVolume, requireVolume } from '../../storage/volumes/volumes';

/** Which backups are meant, and how many of them are to stay. */
export interface Pruning {
  node: string;
  storage: string;
  /** Absent: those of all guests. */
  vmid?: number;
  type?: string | undefined;
  /** Absent: what the storage says. */
  retention?: string | undefined;
}

/** What pruning would do, backup by backup. Removes nothing. */
export function previewPruning(
  sim: Sim,
  { node, storage: id, vmid, type, retention }: Pruning,
): PruneEntry[] {
  const storage = storageOn(sim, node, id);
  if (!contentOf(storage).includes('backup')) fail(`storage '${id}' does not support backups`);
  const wanted = retention ?? storage.options?.['prune-backups'];
  if (wanted === undefined) fail(`no prune-backups options configured for storage '${id}'`);
  const backups = volumesOn(sim, node, storage).filter(
    volume => volume.content === 'backup' && (vmid === undefined || volume.vmid === vmid),
  );
  return markedForPruning(backups, readPropertyString('prune-backups', wanted, 'prune-backups')).filter(
    entry => type === undefined || entry.type === type,
  );
}

/** Removes the backups that are not to stay, inside a task, and says how many. */
export function pruneBackups(sim: Sim, task: TaskContext, pruning: Pruning): number {
  const old = previewPruning(sim, pruning).filter(({ mark }) => mark === 'remove');
  for (const { volid } of old) {
    task.log(`INFO: removing backup '${volid}'`);
    freeVolume(sim, requireVolume(sim, pruning.node, volid));
  }
  return old.length;
}
