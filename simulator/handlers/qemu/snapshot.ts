import { requirePrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { guestLock } from '../../cluster/lock-files';
import { checkLock, loadGuest } from '../../guest/conf-file/load';
import { CONFIG_LOCK_MS } from '../../guest/lock';
import { requireSavable } from '../../guest/migrate/local-resources';
import { placeOf } from '../../guest/place';
import { rollBack } from '../../guest/snapshot/rollback';
import { deleteSnapshot, takeSnapshot } from '../../guest/snapshot/take-remove';
import { snapshotAnswer, snapshotNamed, snapshotRows } from '../../guest/snapshot/view';
import { startWorker } from '../../guest/worker';
import { needWritableConf } from '../../guest/conf-file/writable';
import type { Guest } from '../../world';

const LIST = '/nodes/{node}/qemu/{vmid}/snapshot';
const ONE = `${LIST}/{snapname}`;

/** Snapshots of virtual machines. */
export const qemuSnapshotHandlers: HandlerTable = {
  [`GET ${LIST}`]: call => snapshotRows(guestOf(call)),
  [`POST ${LIST}`]: take,
  [`DELETE ${ONE}`]: call =>
    startWorker(call, 'qmdelsnapshot', (task, place) =>
      deleteSnapshot(call.sim, task, place, { name: nameOf(call), force: call.params['force'] === '1' }),
    ),
  [`GET ${ONE}/config`]: call => snapshotAnswer(snapshotNamed(guestOf(call), nameOf(call))),
  [`PUT ${ONE}/config`]: describe,
  [`POST ${ONE}/rollback`]: rollback,
};

function guestOf(call: Call): Guest {
  const { node, vmid } = placeOf(call);
  return loadGuest(call.sim, node, vmid);
}

function nameOf({ params }: Call): string {
  return params['snapname'] ?? '';
}

function take(call: Call): string {
  const name = nameOf(call);
  if (name === 'current') fail("unable to use snapshot name 'current' (reserved name)");
  if (name.toLowerCase() === 'pending') fail("unable to use snapshot name 'pending' (reserved name)");
  const { vmstate, description = '' } = call.params;
  requireSavable(guestOf(call).config, vmstate === '1');
  return startWorker(call, 'qmsnapshot', (task, place) =>
    takeSnapshot(call.sim, task, place, { name, description, vmstate: vmstate === '1' }),
  );
}

async function describe(call: Call): Promise<null> {
  const { description } = call.params;
  if (description === undefined) return null;
  const { node, vmid } = placeOf(call);
  return call.sim.flocks.hold(guestLock(node, vmid), CONFIG_LOCK_MS, () => {
    const guest = guestOf(call);
    checkLock(guest);
    const snapshot = snapshotNamed(guest, nameOf(call));
    needWritableConf(call.sim, { node, vmid });
    snapshot.description = description.trimEnd();
    return null;
  });
}

function rollback(call: Call): string {
  const { sim, user, params } = call;
  const start = params['start'] === '1';
  if (start) requirePrivileges(sim, user, `/vms/${params['vmid']}`, ['VM.PowerMgmt']);
  return startWorker(call, 'qmrollback', (task, place) =>
    rollBack(sim, task, place, { name: nameOf(call), start }),
  );
}
