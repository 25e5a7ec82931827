import type { Sim } from '../../cluster/sim';
import { allocateVolume, findVolume, freeVolume } from '../../storage/volumes/volumes';
import { isFileStorage } from '../../storage/plugins';
import { storageNamed } from '../../storage/on-node';
import { trySplitVolumeId } from '../../storage/volumes/name';
import type { Config, Guest, Volume } from '../../world';
import { drivesOf, isCdrom } from '../drives/drive';
import { memoryBytes } from '../qemu/memory';
import { isNetKey } from '../keys/net';

const MiB = 1024 ** 2;
const DRIVER_STATE_MIB = 500;

/** What a saved memory must find again when it is loaded. */
export const RUNNING_FACTS = ['runningmachine', 'runningcpu', 'running-nets-host-mtu'] as const;

/** The facts that go with a saved memory; none for a guest that is off. */
export function runningFacts({ config, running }: Guest): Config {
  if (!running) return {};
  const cards = Object.keys(config).filter(key => isNetKey(key) && config[key]?.startsWith('virtio='));
  return {
    runningmachine: running.machine,
    runningcpu: 'kvm64,enforce,+kvm_pv_eoi,+kvm_pv_unhalt,+lahf_lm,+sep',
    // PVE: without a virtio card the line is written empty (QemuConfig.pm), and reads back as one blank
    'running-nets-host-mtu': mtus(cards) || ' ',
  };
}

function mtus(cards: string[]): string {
  return cards
    .sort()
    .map(key => `${key}=1500`)
    .join(',');
}

/** What a guest's memory and devices take when they are written (assumed: the real amount depends on the guest). */
const SAVED_MIB = 16;

/** Says what was written to a state volume. QEMU cuts a file off behind it; a block volume keeps its size (savevm-async.c). */
export function fillState(sim: Sim, volume: Volume): string {
  if (isFileStorage(storageNamed(sim, volume.storage).type)) {
    volume.size = SAVED_MIB * MiB;
    volume.filesize = volume.size;
  }
  return `${SAVED_MIB}.00 MiB`;
}

/** The storage that takes a guest's memory: the configured one, else a shared one of its disks, else a local one; of several the last folder by name. */
export function stateStorage(sim: Sim, { config }: Guest): string {
  const chosen = config['vmstatestorage'];
  if (chosen !== undefined) return chosen;
  const used = drivesOf(config)
    .filter(drive => !isCdrom(drive))
    .flatMap(drive => trySplitVolumeId(drive.file)?.storage ?? []);
  const storages = [...new Set(used)].sort().map(id => storageNamed(sim, id));
  const best = (isShared: boolean): string | undefined => {
    const found = storages.filter(({ shared }) => shared === isShared);
    // PVE: files are preferred (QemuConfig.pm, find_vmstate_storage)
    return (found.filter(({ type }) => isFileStorage(type)).at(-1) ?? found[0])?.storage;
  };
  return best(true) ?? best(false) ?? 'local';
}

/** Allocates the volume that takes the guest's memory: twice the memory, and room for the devices. */
export function allocateState(sim: Sim, guest: Guest, name: string, storage: string): Volume {
  const ending = isFileStorage(storageNamed(sim, storage).type) ? '.raw' : '';
  return allocateVolume(sim, {
    storage,
    node: guest.node,
    vmid: guest.vmid,
    format: 'raw',
    name: `vm-${guest.vmid}-state-${name}${ending}`,
    size: memoryBytes(guest.config['memory']) * 2 + DRIVER_STATE_MIB * MiB,
  });
}

/** Forgets the memory that a guest was suspended with, and the lock that went with it. */
export function freeSavedState(sim: Sim, guest: Guest): void {
  const volid = guest.config['vmstate'];
  const volume = volid === undefined ? undefined : findVolume(sim, guest.node, volid);
  if (volume) freeVolume(sim, volume);
  for (const key of ['lock', 'vmstate', ...RUNNING_FACTS]) delete guest.config[key];
}
