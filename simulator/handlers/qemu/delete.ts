import { onlyRoot } from '../../access/root-only';
import type { HandlerTable } from '../../cluster/call';
import { checkDestroy, destroyGuest } from '../../guest/lifecycle/destroy';
import { placeOf } from '../../guest/place';
import { startWorker } from '../../guest/worker';

/** Destroying virtual machines. */
export const qemuDeleteHandlers: HandlerTable = {
  'DELETE /nodes/{node}/qemu/{vmid}': call => {
    const { sim, params } = call;
    onlyRoot(call, 'skiplock');
    const wishes = {
      purge: params['purge'] === '1',
      unreferenced: params['destroy-unreferenced-disks'] === '1',
      skiplock: params['skiplock'] === '1',
    };
    checkDestroy(sim, placeOf(call), wishes.purge);
    return startWorker(call, 'qmdestroy', (task, place) => destroyGuest(sim, task, place, wishes));
  },
};
