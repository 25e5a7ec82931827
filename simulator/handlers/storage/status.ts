import { hasPrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { failParameters } from '../../failure';
import { splitList } from '../../perl-text';
import { isUsable, storageListRow, storageStatus, takesAny } from '../../storage/rows';
import { flatCurve } from '../../views/flat-curve';
import type { Storage } from '../../world';

const SEES = ['Datastore.Audit', 'Datastore.AllocateSpace'];

/** The storages of a node and their state. */
export const storageStatusHandlers: HandlerTable = {
  'GET /nodes/{node}/storage': call => {
    const listed = call.sim.world.storages.filter(storage => hasContent(call, storage));
    const only = call.params['storage'];
    if (only !== undefined && !listed.some(({ storage }) => storage === only)) noSuchStorage();
    return listed
      .filter(storage => isWanted(call, storage))
      .map(storage => storageListRow(call.sim, call.node, storage, call.params['format'] === '1'));
  },
  'GET /nodes/{node}/storage/{storage}/status': call => {
    const storage = call.sim.world.storages.find(each => each.storage === call.params['storage']);
    return storageStatus(call.sim, call.node, storage ?? noSuchStorage());
  },
  'GET /nodes/{node}/storage/{storage}/rrddata': ({ sim, node, params }) => {
    const storage = sim.world.storages.find(each => each.storage === params['storage']);
    const { total, used } = storage ? storageStatus(sim, node, storage) : {};
    return flatCurve(sim, params['timeframe'], storage ? { total, used } : {});
  },
};

/** PVE: asking for a kind of content also leaves out what cannot be used here. */
function hasContent({ params, node }: Call, storage: Storage): boolean {
  const content = params['content'];
  return content === undefined || (isUsable(storage, node) && takesAny(storage, splitList(content)));
}

function isWanted({ sim, user, params, node }: Call, storage: Storage): boolean {
  const { storage: only, enabled, target } = params;
  if (only !== undefined && only !== storage.storage) return false;
  if (enabled === '1' && !storage.enabled) return false;
  const elsewhere = target !== undefined && target !== node && target !== 'localhost';
  if (elsewhere && !(storage.shared && isUsable(storage, node) && isUsable(storage, target))) return false;
  return hasPrivileges(sim, user, `/storage/${storage.storage}`, SEES, true);
}

function noSuchStorage(): never {
  failParameters({ storage: 'No such storage.' });
}
