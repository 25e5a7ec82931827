import type { Sim } from '../../cluster/sim';
import { Failure, fail } from '../../failure';
import { bytesTaken, placeOnStorage, storageOn } from '../../storage/on-node';
import { checkSpace } from '../../storage/space';
import { parseVolumeName, splitVolumeId, volumePath } from '../../storage/volumes/name';
import { tryFindVolume } from '../../storage/volumes/volumes';
import type { TaskContext } from '../../tasks/task';
import type { Guest, Volume } from '../../world';
import { DIED, INTERRUPTED } from '../../tasks/tasks';
import { pruneBackups } from './prune-backups';
import type { BackupWishes } from './backup-wishes';
import { requireBackup } from './refusals';
import { checkLock, loadGuest } from '../../guest/conf-file/load';
import { writeConfig } from '../../guest/conf-file/write';
import { lockedInTask } from '../../guest/lock';
import type { Place } from '../../guest/place';
import { archiveText, readArchive } from '../../guest/backup/archive';
import type { GuestPower } from './guest-power';
import { goOn, powerOf, standStill, whileItRuns } from './guest-power';

const ENDINGS: Record<string, string> = { '0': '', '1': '.lzo', gzip: '.gz', lzo: '.lzo', zstd: '.zst' };

/**
 * Backs up one guest inside a task, under the lock `backup`. A guest that cannot be is reported, and false is the answer.
 * Fails when somebody has stopped the task.
 */
export async function backUp(
  sim: Sim,
  task: TaskContext,
  place: Place,
  wishes: BackupWishes,
): Promise<boolean> {
  const { vmid } = place;
  const since = sim.clock.now();
  try {
    requireBackup(sim, place, wishes);
    task.log(`INFO: Starting Backup of VM ${vmid} (${sim.world.guests[vmid]?.type})`);
    task.log(`INFO: Backup started at ${wallClock(sim)}`);
    await locked(sim, task, place, wishes);
    task.log(`INFO: Finished Backup of VM ${vmid} (${duration(sim.clock.now() - since)})`);
    task.log(`INFO: Backup finished at ${wallClock(sim)}`);
    return true;
  } catch (error) {
    if (!(error instanceof Failure) || error.message === DIED) throw error;
    const isStopped = error.message === INTERRUPTED;
    const why = isStopped ? 'interrupted by signal' : error.message;
    task.log(`ERROR: Backup of VM ${vmid} failed - ${why}`);
    task.log(`INFO: Failed at ${wallClock(sim)}`);
    return isStopped ? fail(why) : false;
  }
}

async function locked(sim: Sim, task: TaskContext, place: Place, wishes: BackupWishes): Promise<void> {
  const guest = await lockedInTask(sim, task, place, () => {
    const loaded = guestOf(sim, place);
    checkLock(loaded);
    writeConfig(sim, loaded, draft => (draft.config['lock'] = 'backup'));
    return loaded;
  });
  const power = powerOf(guest, wishes.mode);
  try {
    task.log(`INFO: status = ${guest.running ? 'running' : 'stopped'}`);
    task.log(`INFO: backup mode: ${power.mode}`);
    task.log(nameLine(guest));
    await standStill(sim, task, power, wishes.stopSeconds);
    await writeArchive(sim, task, power, wishes);
    if (wishes.remove) pruneOld(sim, task, place, wishes);
  } finally {
    // somebody may have taken the guest away, or its lock
    if (guest.config['lock'] === 'backup') writeConfig(sim, guest, draft => delete draft.config['lock']);
    await goOn(sim, task, power);
  }
}

async function writeArchive(
  sim: Sim,
  task: TaskContext,
  power: GuestPower,
  wishes: BackupWishes,
): Promise<void> {
  const { guest } = power;
  const { node, vmid, type } = guest;
  const storage = storageOn(sim, node, wishes.storage);
  const ending = `${type === 'lxc' ? 'tar' : 'vma'}${ENDINGS[wishes.compress] ?? ''}`;
  const volid = `${wishes.storage}:backup/vzdump-${type}-${vmid}-${stamp(sim)}.${ending}`;
  const name = parseVolumeName(storage, splitVolumeId(volid).rest);
  const text = archiveText(guest.config);
  const size = text.length + held(sim, guest);
  task.log(`INFO: creating vzdump archive '${volumePath(storage, name)}'`);
  await whileItRuns(sim, task, power, async () => {
    checkSpace(sim, node, storage, name.name, size);
    await task.workUsual();
  });
  const notes = wishes.notes === undefined ? {} : { notes: filled(wishes.notes, guest) };
  putVolume(sim, {
    volid,
    storage: wishes.storage,
    node: placeOnStorage(storage, node),
    content: 'backup',
    format: name.format,
    size,
    vmid,
    ctime: Math.floor(sim.clock.now() / 1000),
    text: Buffer.from(text).toString('latin1'),
    system: guest.system,
    ...notes,
    ...(wishes.protected ? { protected: true } : {}),
  });
}

/** PVE: a second archive of the same second is renamed over the first one, whose notes and protection stay. */
function putVolume({ world }: Sim, volume: Volume): void {
  const there = world.volumes.find(({ volid, node }) => volid === volume.volid && node === volume.node);
  if (there) Object.assign(there, volume);
  else world.volumes.push(volume);
}

/** Once a guest is backed up its old backups go, as the request or the storage says. */
function pruneOld(sim: Sim, task: TaskContext, { node, vmid }: Place, wishes: BackupWishes): void {
  const { storage, retention: kept } = wishes;
  const retention = Object.entries(kept)
    .map(([key, count]) => `${key}=${count}`)
    .sort();
  task.log(`INFO: prune older backups with retention: ${retention.join(', ')}`);
  const type = sim.world.guests[vmid]?.type;
  const pruned = pruneBackups(sim, task, { node, storage, vmid, type, retention: retention.join(',') });
  task.log(`INFO: pruned ${pruned} backup(s)${pruned > 0 ? ' not covered by keep-retention policy' : ''}`);
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

/** The time as logs have it. */
function wallClock({ clock }: Sim): string {
  return new Date(clock.now()).toISOString().slice(0, 19).replace('T', ' ');
}

/** Hours, minutes and seconds. */
function duration(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

function filled(template: string, { vmid, node, config }: Guest): string {
  const guestname = config['name'] ?? config['hostname'] ?? '';
  const values: Record<string, string> = { guestname, node, vmid: String(vmid) };
  return template
    .replace(/\{\{(guestname|node|vmid)\}\}/g, (_, name: string) => values[name] ?? '')
    .replaceAll('\\n', '\n');
}
