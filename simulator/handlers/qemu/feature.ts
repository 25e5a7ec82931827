import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { loadGuest } from '../../guest/conf-file/load';
import { drivesOf, isCdrom } from '../../guest/drives/drive';
import { placeOf } from '../../guest/place';
import { isOn, storageNamed } from '../../storage/on-node';
import { trySplitVolumeId } from '../../storage/volumes/name';
import { tryFindVolume, volumeFeature } from '../../storage/volumes/volumes';
import type { Sim } from '../../cluster/sim';
import type { Config } from '../../world';
import { findNamed } from '../../own-keys';

/** Whether a guest's disks can be snapshotted, cloned or copied. */
export const qemuFeatureHandlers: HandlerTable = {
  'GET /nodes/{node}/qemu/{vmid}/feature': answerFeature,
};

function answerFeature(call: Call): unknown {
  const { sim, node, params } = call;
  const { vmid } = placeOf(call);
  const { feature = '', snapname } = params;
  if (sim.world.guests[vmid]?.node !== node) {
    fail(`unable to find configuration file for VM ${vmid} on node '${node}'`);
  }
  const guest = loadGuest(sim, node, vmid);
  const snapshot = snapname === undefined ? undefined : findNamed(guest.snapshots, snapname);
  if (snapname !== undefined && !snapshot) fail(`snapshot '${snapname}' does not exist`);
  const config = snapshot?.config ?? guest.config;
  const has = drivesOf(config).every(drive => {
    if (isCdrom(drive)) return true;
    const volume = tryFindVolume(sim, node, drive.file);
    return volume !== undefined && volumeFeature(sim, volume, feature, snapname);
  });
  return { hasFeature: Number(has), nodes: nodesFor(sim, node, config) };
}

/** The nodes that reach all volumes of a configuration, CD-ROMs too. */
function nodesFor(sim: Sim, node: string, config: Config): string[] {
  const ids = drivesOf(config).flatMap(({ file }) => trySplitVolumeId(file)?.storage ?? []);
  const storages = ids.map(id => storageNamed(sim, id));
  return sim.world.nodes
    .map(({ name }) => name)
    .filter(name =>
      storages.every(storage => {
        if (!storage.enabled) return false;
        // PVE: a list of nodes is believed, shared or not
        return storage.nodes ? isOn(storage, name) : storage.shared || name === node;
      }),
    );
}
