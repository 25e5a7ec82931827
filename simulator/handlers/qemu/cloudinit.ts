import type { Call, HandlerTable } from '../../cluster/call';
import { guestLock } from '../../cluster/lock-files';
import { dumpCloudInit } from '../../guest/cloud-init/dump';
import { cloudInitAnswer } from '../../guest/cloud-init/changes';
import { generateCloudInit } from '../../guest/cloud-init/image';
import { checkLock, loadGuest } from '../../guest/conf-file/load';
import { drivesOf, isCloudInit } from '../../guest/drives/drive';
import { CONFIG_LOCK_MS } from '../../guest/lock';
import { placeOf } from '../../guest/place';
import { writeConfig } from '../../guest/conf-file/write';

/** Makes a new image; the medium in a running guest's drive changes with it. Without such a drive nothing happens. */
async function regenerate(call: Call): Promise<null> {
  const { sim } = call;
  const { node, vmid } = placeOf(call);
  await sim.flocks.hold(guestLock(node, vmid), CONFIG_LOCK_MS, () => {
    const guest = loadGuest(sim, node, vmid);
    checkLock(guest);
    if (!drivesOf(guest.config).some(isCloudInit)) return;
    writeConfig(sim, guest, draft => generateCloudInit(sim, draft));
  });
  return null;
}

export const qemuCloudInitHandlers: HandlerTable = {
  'GET /nodes/{node}/qemu/{vmid}/cloudinit': ({ sim, node, params }) =>
    cloudInitAnswer(loadGuest(sim, node, Number(params['vmid']))),
  'PUT /nodes/{node}/qemu/{vmid}/cloudinit': regenerate,
  'GET /nodes/{node}/qemu/{vmid}/cloudinit/dump': ({ sim, node, params }) => {
    const { config, vmid } = loadGuest(sim, node, Number(params['vmid']));
    return dumpCloudInit(config, vmid, params['type'] ?? 'user');
  },
};
