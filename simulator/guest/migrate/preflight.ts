import type { Sim } from '../../cluster/sim';
import { isOn } from '../../storage/on-node';
import { trySplitVolumeId } from '../../storage/volumes/name';
import type { Guest } from '../../world';
import { drivesOf } from '../drives/drive';
import { isHaManaged } from '../../ha/request';
import { volumeUses } from './volume-uses';

interface Preflight {
  local_disks: { volid: string }[];
  local_resources: string[];
  [more: string]: unknown;
}

/** What GET migrate answers: where the guest can go, and what it would take along. */
export function preflight(sim: Sim, guest: Guest): Preflight {
  const others = sim.world.nodes.map(({ name }) => name).filter(name => name !== guest.node);
  const blocked = new Map(others.map(node => [node, missingStorages(sim, guest, node)]));
  return {
    running: guest.running ? 1 : 0,
    allowed_nodes: others.filter(node => blocked.get(node)?.length === 0),
    // PVE lists every other node here, the allowed ones with nothing against them (recording 60, step 2)
    not_allowed_nodes: Object.fromEntries(
      [...blocked].map(([node, storages]) => [
        node,
        storages.length === 0 ? {} : { unavailable_storages: storages },
      ]),
    ),
    ...(isHaManaged(sim, guest.vmid) && { 'dependent-ha-resources': [] }),
    local_disks: localDisks(sim, guest),
    local_resources: localResources(guest),
    'mapped-resources': [],
    'mapped-resource-info': {},
    'has-dbus-vmstate': 1,
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

function localResources({ config }: Guest): string[] {
  return Object.entries(config).flatMap(([key, value]) => {
    if (/^(usb|hostpci|serial|parallel)\d+$/.test(key)) {
      return /^(socket|spice)|(^|,)mapping=|host=spice/.test(value) ? [] : [key];
    }
    return key === 'hostusb' || key === 'ivshmem' ? [key] : [];
  });
}
