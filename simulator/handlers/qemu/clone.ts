import type { Call, HandlerTable } from '../../cluster/call';
import { cloneGuest } from '../../guest/lifecycle/clone';
import type { CloneWishes } from '../../guest/lifecycle/clone-plan';
import { planClone } from '../../guest/lifecycle/clone-plan';
import { checkRunning } from '../../guest/power/running';
import { placeOf } from '../../guest/place';
import { startWorker } from '../../guest/worker';

/** Cloning virtual machines and templates. */
export const qemuCloneHandlers: HandlerTable = {
  'POST /nodes/{node}/qemu/{vmid}/clone': call => {
    const { sim, user } = call;
    const { node, vmid } = placeOf(call);
    const wishes = wishesOf(call);
    const wasRunning = checkRunning(sim, node, vmid) !== undefined;
    planClone(sim, user, { node, vmid }, wishes, wasRunning);
    return startWorker(call, 'qmclone', (task, place) =>
      cloneGuest({ sim, task, user, place, wishes, wasRunning }),
    );
  },
};

function wishesOf({ params, node }: Call): CloneWishes {
  const { newid, name, description, pool, snapname, storage, format, target, full, bwlimit } = params;
  return {
    newid: Number(newid),
    name,
    description,
    pool,
    snapname: snapname === '' ? undefined : snapname,
    storage: storage === '' ? undefined : storage,
    format,
    target: target === node || target === 'localhost' || target === '' ? undefined : target,
    full: full === undefined ? undefined : full === '1',
    bwlimit: Number(bwlimit ?? 0),
  };
}
