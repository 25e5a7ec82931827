import { Failure, fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { StorageMap } from '../../storage/mapping';
import { pluginOf } from '../../storage/plugins';
import { storageNamed } from '../../storage/on-node';
import { findVolume, requireVolume } from '../../storage/volumes/volumes';
import { copying, memorySent } from '../../tasks/copying';
import type { TaskContext } from '../../tasks/task';
import { INTERRUPTED } from '../../tasks/tasks';
import type { Guest } from '../../world';
import { checkLock, loadGuest } from '../conf-file/load';
import { lockedInTask } from '../lock';
import { requireMovable } from './local-resources';
import { copyLines, liveLines } from './log';
import type { LocalVolume } from './scan';
import { scanVolumes } from './scan';
import type { Place } from '../place';
import { memoryBytes } from '../qemu/memory';
import { isPaused, setRunning } from '../power/running';
import { bridgesOf } from '../power/start-checks';
import { landVolumes } from './volume-move';

/** Where a guest shall go, and how. */
export interface Journey {
  target: string;
  withLocalDisks: boolean;
  storages: StorageMap | undefined;
  /** KiB a second; 0: no limit. */
  bwlimit: number;
  /** Leave devices of the node behind. */
  force: boolean;
  /** Take the connections that the firewall tracks along. */
  conntrack: boolean;
}

type Log = (line: string, error?: boolean) => void;

/** Moves a guest to another node inside a task. Its configuration moves at the very end; what fails leaves it where it is. */
export async function migrateGuest(
  sim: Sim,
  task: TaskContext,
  place: Place,
  journey: Journey,
): Promise<void> {
  const started = sim.clock.now();
  const log: Log = (line, error = false) => {
    const time = new Date(sim.clock.now()).toISOString().slice(0, 19).replace('T', ' ');
    task.log(`${time} ${error ? 'ERROR: ' : ''}${line}`);
  };
  const duration = (): string => new Date(sim.clock.now() - started).toISOString().slice(11, 19);
  let arrived = false;
  try {
    arrived = await lockedInTask(sim, task, place, () => travel(sim, task, place, journey, log));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    log(`migration aborted (duration ${duration()}): ${textOf(error)}`, true);
    fail('migration aborted');
  }
  if (!arrived) {
    log(`migration finished with problems (duration ${duration()})`, true);
    fail('migration problems');
  }
  log(`migration finished successfully (duration ${duration()})`);
}

function textOf(error: Failure): string {
  return error.message === INTERRUPTED ? 'interrupted by signal' : error.message.trimEnd();
}

async function travel(
  sim: Sim,
  task: TaskContext,
  place: Place,
  journey: Journey,
  log: Log,
): Promise<boolean> {
  const guest = loadGuest(sim, place.node, place.vmid);
  checkLock(guest);
  const running = guest.running !== null;
  if (running && !journey.conntrack) {
    log('conntrack state migration not supported or disabled, active connections might get dropped');
  }
  requireMovable(guest.config, { ...journey, running }, log);
  const node = sim.world.nodes.find(({ name }) => name === journey.target);
  if (!node?.online) fail("Can't connect to destination address using public key");
  log(`starting migration of VM ${place.vmid} to node '${journey.target}' (${node.ip})`);
  guest.config['lock'] = 'migrate';
  try {
    const volumes = scan(sim, guest, journey, log);
    await copyData(sim, task, guest, journey, volumes, log);
    if (guest.running && !canRun(guest, node.bridges, journey.target, log)) return false;
    finish(sim, guest, journey, volumes, log);
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    log(textOf(error), true);
    log('aborting phase 1 - cleanup resources');
    throw error;
  } finally {
    delete guest.config['lock'];
  }
}

function scan(sim: Sim, guest: Guest, journey: Journey, log: Log): LocalVolume[] {
  const { target, withLocalDisks, storages } = journey;
  const running = guest.running !== null;
  try {
    return scanVolumes({ sim, guest, target, running, withLocalDisks, storages, log });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return fail(`Problem found while scanning volumes - ${error.message}`);
  }
}

async function copyData(
  sim: Sim,
  task: TaskContext,
  guest: Guest,
  { bwlimit }: Journey,
  volumes: LocalVolume[],
  log: Log,
): Promise<void> {
  if (volumes.some(({ ref }) => !guest.running || ref === 'generated')) log('copying local disk images');
  const bytes = volumes.reduce((sum, { volid }) => sum + (findVolume(sim, guest.node, volid)?.size ?? 0), 0);
  for (const volume of volumes) checkTransfer(sim, guest, volume);
  const ms = bwlimit > 0 ? (bytes / (bwlimit * 1024)) * 1000 : task.usualMs;
  if (!guest.running) return task.work(ms);
  const memory = memoryBytes(guest.config['memory']);
  await copying(task, ms, share => log(memorySent(memory, share)));
}

/** A disk whose format the other storage does not have can only be copied by a guest that runs. */
function checkTransfer(sim: Sim, guest: Guest, { volid, targetStorage, ref }: LocalVolume): void {
  if (guest.running && ref === 'attached') return;
  const { format, storage } = requireVolume(sim, guest.node, volid);
  const [from, to] = [storageNamed(sim, storage).type, storageNamed(sim, targetStorage).type];
  if (pluginOf(to).formats.includes(format)) return;
  fail(
    `storage migration for '${volid}' to storage '${targetStorage}' failed - cannot migrate from storage type '${from}' to '${to}'`,
  );
}

/** Whether the other node can run the guest. When not, the guest runs on where it is. */
function canRun(guest: Guest, bridges: string[], target: string, log: Log): boolean {
  log(`starting VM ${guest.vmid} on remote node '${target}'`);
  const missing = bridgesOf(guest.config).find(bridge => !bridges.includes(bridge));
  if (missing === undefined) return true;
  log(`[${target}] bridge '${missing}' does not exist`);
  log('online migrate failure - remote command failed with exit code 255', true);
  log('aborting phase 2 - cleanup resources');
  log('migrate_cancel');
  return false;
}

function finish(sim: Sim, guest: Guest, { target }: Journey, volumes: LocalVolume[], log: Log): void {
  const { running } = guest;
  const paused = isPaused(sim, guest.node, guest.vmid);
  const moved = landVolumes(sim, guest, target, volumes, running !== null);
  for (const move of moved) copyLines(sim, move, move.online).forEach(line => log(line));
  guest.node = target;
  if (!running) return;
  liveLines(guest.vmid).forEach(line => log(line));
  const booted = running.booted ?? running.since;
  setRunning(sim, guest, paused ? running.qmp : 'running');
  // the process is new on the other node, the guest's system goes on
  if (guest.running)
    guest.running = { ...running, pid: guest.running.pid, since: guest.running.since, booted };
}
