import type { Sim } from '../../cluster/sim';
import { isOn } from '../../storage/on-node';
import { trySplitVolumeId } from '../../storage/volumes/name';
import type { Guest } from '../../world';
import { drivesOf } from '../drives/drive';
import { blockingRows, motionOf } from '../../ha/affinity';
import { isHaManaged } from '../../ha/guest-in-ha';
import { localResources } from './local-resources';
import { volumeUses } from './volume-uses';

interface Preflight {
  local_disks: { volid: string }[];
  local_resources: string[];
  [more: string]: unknown;
}

/** What GET migrate answers: where the guest can go, and what it would take along. */
export function preflight(sim: Sim, guest: Guest): Preflight {
  const others = sim.world.nodes.map(({ name }) => name).filter(name => name !== guest.node);
  const { local, mapped } = localResources(guest.config, guest.running !== null);
  const motion = isHaManaged(sim, guest.vmid) ? motionOf(sim.world, `vm:${guest.vmid}`) : undefined;
  const blocked = new Map(
    others.map(node => {
      const rows = blockingRows(motion?.blockedBy(node) ?? []);
      return [node, obstacles(sim, guest, node, { mapped: Object.keys(mapped), rows })];
    }),
  );
  return {
    running: guest.running ? 1 : 0,
    allowed_nodes: others.filter(node => Object.keys(blocked.get(node) ?? {}).length === 0),
    // PVE lists every other node here, the allowed ones with nothing against them (recording 60, step 2)
    not_allowed_nodes: Object.fromEntries(blocked),
    ...(motion && { 'dependent-ha-resources': motion.along }),
    local_disks: localDisks(sim, guest),
    local_resources: local,
    'mapped-resources': Object.keys(mapped).sort(),
    'mapped-resource-info': mapped,
    'has-dbus-vmstate': 1,
  };
}

/** What keeps a guest from a node. No node has a mapping in this simulation. */
function obstacles(
  sim: Sim,
  guest: Guest,
  node: string,
  { mapped, rows }: { mapped: string[]; rows: unknown[] },
): Record<string, unknown[]> {
  const storages = missingStorages(sim, guest, node);
  return {
    ...(storages.length > 0 && { unavailable_storages: storages }),
    ...(mapped.length > 0 && { 'unavailable-resources': mapped }),
    ...(rows.length > 0 && { 'blocking-ha-resources': rows }),
  };
}

function missingStorages(sim: Sim, { config }: Guest, node: string): string[] {
  const used = new Set(drivesOf(config).flatMap(({ file }) => trySplitVolumeId(file)?.storage ?? []));
  return sim.world.storages
    .filter(storage => used.has(storage.storage) && !(storage.enabled && isOn(storage, node)))
    .map(({ storage }) => storage);
}

function localDisks(sim: Sim, guest: Guest): { volid: string }[] {
  return volumeUses(guest).filter(({ volid, shared, cdrom }) => {
    const id = trySplitVolumeId(volid)?.storage;
    const storage = sim.world.storages.find(each => each.storage === id);
    return !(storage?.shared ?? false) && !shared && !(cdrom && volid === 'none');
  });
}
