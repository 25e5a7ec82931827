import type { Call, HandlerTable } from '../../cluster/call';
import { fail, failParameters } from '../../failure';
import { guestLock } from '../../cluster/lock-files';
import { configAnswer, digestOf, loadGuest } from '../../guest/conf-file/load';
import type { ConfigRequest } from '../../guest/config/config-request';
import { readConfigRequest } from '../../guest/config/config-request';
import { checkUpdate, updateConfig } from '../../guest/config/update';
import { CONFIG_LOCK_MS, lockedInTask } from '../../guest/lock';
import type { PendingRow } from '../../guest/config/pending';
import { pendingAnswer } from '../../guest/config/pending';
import { snapshotAnswer, snapshotNamed } from '../../guest/snapshot/view';

function read({ sim, node, params }: Call): Record<string, unknown> {
  const { snapshot, current } = params;
  if (snapshot !== undefined && current === '1') {
    const text = "cannot use 'snapshot' parameter with 'current'";
    failParameters({ snapshot: text, current: text });
  }
  const guest = loadGuest(sim, node, Number(params['vmid']));
  if (snapshot === undefined) return configAnswer(guest, current === '1');
  const answer = snapshotAnswer(snapshotNamed(guest, snapshot));
  const masked = 'cipassword' in answer ? { cipassword: '**********' } : {};
  return { ...answer, ...masked, digest: digestOf(guest) };
}

function readPending({ sim, node, params }: Call): PendingRow[] {
  return pendingAnswer(loadGuest(sim, node, Number(params['vmid'])));
}

async function update(call: Call): Promise<null> {
  await updateNow(readConfigRequest(call));
  return null;
}

/** Writes a request at once, under the guest's lock file. */
export async function updateNow(request: ConfigRequest): Promise<void> {
  const { sim, node, vmid } = request;
  checkUpdate(request);
  await sim.flocks.hold(guestLock(node, vmid), CONFIG_LOCK_MS, () => updateConfig(request, () => undefined));
}

async function updateInTask(call: Call): Promise<string | null> {
  const { sim, user, node, params } = call;
  const request = readConfigRequest(call);
  checkUpdate(request);
  const id = String(request.vmid);
  const upid = sim.tasks.start({ type: 'qmconfig', id, node, user }, task =>
    lockedInTask(sim, task, request, async () => {
      await task.workUsual();
      updateConfig(request, line => task.log(line));
    }),
  );
  const delay = Number(params['background_delay'] ?? 0);
  if (delay === 0) return upid;
  await Promise.race([sim.tasks.ended(upid), sim.clock.sleep(delay * 1000)]);
  const { status, exitstatus = '' } = sim.tasks.find(upid) ?? {};
  if (status !== 'stopped') return upid;
  if (/^(OK|WARNINGS: \d+)$/.test(exitstatus)) return null;
  return fail(`failed to update VM ${id}: ${exitstatus}`);
}

export const qemuConfigHandlers: HandlerTable = {
  'GET /nodes/{node}/qemu/{vmid}/config': read,
  'PUT /nodes/{node}/qemu/{vmid}/config': update,
  'POST /nodes/{node}/qemu/{vmid}/config': updateInTask,
  'GET /nodes/{node}/qemu/{vmid}/pending': readPending,
};
