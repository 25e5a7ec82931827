import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { storageNamed } from '../../storage/on-node';
import { failSnapshot } from '../../storage/volumes/snapshot-texts';
import { findVolume } from '../../storage/volumes/volumes';
import type { TaskContext } from '../../tasks/task';
import type { Guest, Snapshot } from '../../world';
import { requireWritable } from '../conf-file/writable';
import { checkLock, loadGuest } from '../conf-file/load';
import { lockedInTask } from '../lock';
import type { Place } from '../place';
import { generateCloudInit } from '../cloud-init/image';
import { startGuest, stopUnlocked } from '../power/start-stop';
import { cleanUpBehind } from '../power/clean-up';
import { checkStart } from '../power/start-checks';
import { setRunning } from '../power/running';
import { parseSize } from '../drives/size';
import { applySnapshot, disksOf } from './config';
import { snapshotNamed } from './view';

const STOP_SECONDS = 5;

/** Rolls a guest back inside a task: stops it hard, and lets it go on where the snapshot has memory or `start` is set. */
export async function rollBack(
  sim: Sim,
  task: TaskContext,
  place: Place,
  { name, start }: { name: string; start: boolean },
): Promise<void> {
  const guest = await lockedInTask(sim, task, place, async () => {
    const loaded = loadGuest(sim, place.node, place.vmid);
    if (loaded.config['template'] === '1') fail("you can't rollback if vm is a template");
    const { config, snapstate } = snapshotNamed(loaded, name);
    checkVolumes(sim, loaded, name, config);
    if (snapstate !== undefined) fail(`unable to rollback to incomplete snapshot (snapstate = ${snapstate})`);
    checkLock(loaded);
    await stopUnlocked(sim, task, place, { timeout: STOP_SECONDS });
    requireWritable(sim, task, place);
    loaded.config['lock'] = 'rollback';
    return loaded;
  });
  const snapshot = snapshotNamed(guest, name);
  // PVE leaves the lock in the configuration when this part fails or is interrupted (recording g6, step 23)
  await task.workUsual();
  for (const { file, options } of disksOf(snapshot.config)) {
    const volume = findVolume(sim, place.node, file) ?? failSnapshot(sim, 'rollback', file, name);
    volume.size = parseSize(options['size'] ?? '') ?? volume.size;
  }
  await lockedInTask(sim, task, place, () => {
    delete guest.config['lock'];
    applySnapshot(guest, name, snapshot, anotherThan(guest.config['vmgenid'], sim));
    if (snapshot.vmstate !== undefined) wake(sim, task, guest, snapshot);
  });
  if (start && !guest.running) await startGuest(sim, task, place);
}

function checkVolumes(sim: Sim, guest: Guest, name: string, config: Snapshot['config']): void {
  for (const { file } of disksOf(config)) {
    const volume = findVolume(sim, guest.node, file);
    if (!volume) continue;
    if (storageNamed(sim, volume.storage).type === 'zfspool' && volume.snapshots?.at(-1) !== name) {
      fail(`can't rollback, '${name}' is not most recent snapshot on '${file}'`);
    }
  }
}

/** Lets the guest go on from the memory that its snapshot kept. */
function wake(sim: Sim, task: TaskContext, guest: Guest, { config }: Snapshot): void {
  // PVE: QemuServer.pm, vm_start_nolock, as read: it is left as it is only where a migration starts the guest
  generateCloudInit(sim, guest);
  checkStart(sim, guest, line => task.log(line));
  setRunning(sim, guest);
  cleanUpBehind(sim, guest);
  if (!guest.running) return;
  guest.running.machine = config['runningmachine'] ?? guest.running.machine;
  // its system was up when the memory was saved
  guest.running.booted = guest.running.since - guest.system.bootMs;
}

/** Proxmox never draws one twice; a world that is loaded with the seed that made it could. */
function anotherThan(vmgenid: string | undefined, { random }: Sim): string {
  const drawn = random.uuid();
  return drawn === vmgenid ? random.uuid() : drawn;
}
