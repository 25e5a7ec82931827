import { requirePrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { previewPruning, pruneBackups, type Pruning } from './prune-backups';

/** Old backups on a storage. pve-storage API2/Storage/PruneBackups.pm. */
export const storagePruneHandlers: HandlerTable = {
  'GET /nodes/{node}/storage/{storage}/prunebackups': call => previewPruning(call.sim, askedOf(call)),
  'DELETE /nodes/{node}/storage/{storage}/prunebackups': prune,
};

function askedOf({ node, params }: Call): Pruning {
  const { storage = '', vmid, type, 'prune-backups': retention } = params;
  return { node, storage, type, retention, ...(vmid === undefined ? {} : { vmid: Number(vmid) }) };
}

function prune(call: Call): string {
  const { sim, node, user, params } = call;
  const { storage = '', vmid } = params;
  requirePrivileges(sim, user, `/storage/${storage}`, [
    vmid === undefined ? 'Datastore.Allocate' : 'Datastore.AllocateSpace',
  ]);
  if (vmid !== undefined) requirePrivileges(sim, user, `/vms/${vmid}`, ['VM.Backup']);
  const id = vmid === undefined ? storage : `${vmid}@${storage}`;
  return sim.tasks.start({ type: 'prunebackups', id, node, user }, async task => {
    await task.workUsual();
    pruneBackups(sim, task, askedOf(call));
  });
}
