import type { Sim } from '../../cluster/sim';
import { Failure, fail } from '../../failure';
import { bytesTaken, placeOnStorage, storageOn } from '../../storage/on-node';
import { checkSpace } from '../../storage/space';
import { parseVolumeName, splitVolumeId, volumePath } from '../../storage/volumes/name';
import { tryFindVolume } from '../../storage/volumes/volumes';
import type { TaskContext } from '../../tasks/task';
import type { Guest } from '../../world';
import { checkLock, loadGuest } from '../../guest/conf-file/load';
import { writeConfig } from '../../guest/conf-file/write';
import { lockedInTask } from '../../guest/lock';
import type { Place } from '../../guest/place';
import { archiveText, readArchive } from '../../guest/backup/archive';

/** How a backup is wished. */
export interface BackupWishes {
  storage: string;
  mode: string;
  compress: string;
  notes?: string;
  protected: boolean;
}

const ENDINGS: Record<string, string> = { '0': '', '1': '.lzo', gzip: '.gz', lzo: '.lzo', zstd: '.zst' };

/** Backs up one guest inside a task, under the lock `backup`. A guest that cannot be is reported, and false is the answer. */
export async function backUp(
  sim: Sim,
  task: TaskContext,
  place: Place,
  wishes: BackupWishes,
): Promise<boolean> {
  task.log(`INFO: Starting Backup of VM ${place.vmid} (${sim.world.guests[place.vmid]?.type ?? 'qemu'})`);
  try {
    await locked(sim, task, place, wishes);
    task.log(`INFO: Finished Backup of VM ${place.vmid} (00:00:01)`);
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    task.log(`ERROR: Backup of VM ${place.vmid} failed - ${error.message}`);
    return false;
  }
}

async function locked(sim: Sim, task: TaskContext, place: Place, wishes: BackupWishes): Promise<void> {
  const { compress, mode, storage: id } = wishes;
  const guest = await lockedInTask(sim, task, place, () => {
    const loaded = guestOf(sim, place);
    checkLock(loaded);
    writeConfig(sim, loaded, draft => (draft.config['lock'] = 'backup'));
    return loaded;
  });
  try {
    task.log(`INFO: status = ${guest.running ? 'running' : 'stopped'}`);
    task.log(`INFO: backup mode: ${guest.running ? mode : 'stop'}`);
    task.log(nameLine(guest));
    const storage = storageOn(sim, place.node, id);
    const kind = guest.type === 'lxc' ? 'tar' : 'vma';
    const volid = `${id}:backup/vzdump-${guest.type}-${place.vmid}-${stamp(sim)}.${kind}${ENDINGS[compress] ?? ''}`;
    const name = parseVolumeName(storage, splitVolumeId(volid).rest);
    const text = archiveText(guest.config);
    const size = text.length + held(sim, guest);
    checkSpace(sim, place.node, storage, name.name, size);
    task.log(`INFO: creating vzdump archive '${volumePath(storage, name)}'`);
    await task.workUsual();
    sim.world.volumes.push({
      volid,
      storage: id,
      node: placeOnStorage(storage, place.node),
      content: 'backup',
      format: name.format,
      size,
      vmid: place.vmid,
      ctime: Math.floor(sim.clock.now() / 1000),
      text: Buffer.from(text).toString('latin1'),
      system: guest.system,
      ...(wishes.notes === undefined ? {} : { notes: filled(wishes.notes, guest) }),
      ...(wishes.protected ? { protected: true } : {}),
    });
  } finally {
    // somebody may have taken the guest away, or its lock
    if (guest.config['lock'] === 'backup') writeConfig(sim, guest, draft => delete draft.config['lock']);
  }
}

/** The machine or the container. */
function guestOf(sim: Sim, { node, vmid }: Place): Guest {
  const guest = sim.world.guests[vmid];
  return guest?.type === 'lxc' && guest.node === node ? guest : loadGuest(sim, node, vmid);
}

function nameLine({ type, vmid, config }: Guest): string {
  if (type === 'lxc') return `INFO: CT Name: ${config['hostname'] ?? `CT${vmid}`}`;
  return `INFO: VM Name: ${config['name'] ?? `VM ${vmid}`}`;
}

/** The bytes of the disks in the archive. */
function held(sim: Sim, { node, config }: Guest): number {
  const disks = [...readArchive(archiveText(config)).disks.keys()];
  const volumes = disks.map(key => tryFindVolume(sim, node, (config[key] ?? '').split(',')[0] ?? ''));
  if (volumes.includes(undefined)) fail('volume of the guest does not exist');
  return volumes.reduce((sum, volume) => sum + (volume ? bytesTaken(volume) : 0), 0);
}

/** The time as the names of archives have it; nodes are in UTC here. */
function stamp(sim: Sim): string {
  const [day = '', time = ''] = new Date(sim.clock.now()).toISOString().split('T');
  return `${day.replaceAll('-', '_')}-${time.slice(0, 8).replaceAll(':', '_')}`;
}

function filled(template: string, { vmid, node, config }: Guest): string {
  const guestname = config['name'] ?? config['hostname'] ?? '';
  const values: Record<string, string> = { guestname, node, vmid: String(vmid) };
  return template
    .replace(/\{\{(guestname|node|vmid)\}\}/g, (_, name: string) => values[name] ?? '')
    .replaceAll('\\n', '\n');
}
