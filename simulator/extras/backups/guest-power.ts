import type { Sim } from '../../cluster/sim';
import { Failure } from '../../failure';
import { noFreezeWhy } from '../../guest/agent/freeze';
import { archiveText, readArchive } from '../../guest/backup/archive';
import { startGuest, stopGuest } from '../../guest/power/start-stop';
import type { TaskContext } from '../../tasks/task';
import type { Guest } from '../../world';
import { runCommand } from './backup-commands';

/** The power of a guest while it is backed up. */
export interface GuestPower {
  guest: Guest;
  /** What is really done: a guest that is off is backed up in the mode `stop`. */
  mode: string;
  wasRunning: boolean;
  wasPaused: boolean;
  /** When it was stopped or paused, until it is told how long that was. */
  stoppedAt?: number | undefined;
  /** What is to be done at the end. */
  mends?: 'restart' | 'resume' | undefined;
}

/** How a guest is before its backup. */
export function powerOf(guest: Guest, mode: string): GuestPower {
  const { running } = guest;
  return {
    guest,
    mode: running ? mode : 'stop',
    wasRunning: running !== null,
    wasPaused: ['paused', 'prelaunch'].includes(running?.qmp ?? ''),
  };
}

/** Stops or pauses the guest, as the mode says. PVE: VZDump.pm exec_backup_task. */
export async function standStill(
  sim: Sim,
  task: TaskContext,
  power: GuestPower,
  stopSeconds: number,
): Promise<void> {
  const { guest, mode, wasRunning, wasPaused } = power;
  if (mode === 'stop' && wasRunning) {
    task.log('INFO: stopping virtual guest');
    power.stoppedAt = sim.clock.now();
    await runCommand(sim, task, guest, 'shutdown', stopSeconds);
    power.mends = 'restart';
  } else if (mode === 'suspend') {
    task.log('INFO: suspending guest');
    power.stoppedAt = sim.clock.now();
    if (!wasPaused) await runCommand(sim, task, guest, 'suspend');
    power.mends = 'resume';
    if (guest.type !== 'lxc') return;
    // PVE: a container goes on before its archive is written
    task.log('INFO: resuming guest');
    power.mends = undefined;
    tellOnline(sim, task, power);
  }
}

/**
 * Copies the disks of a machine while its qemu process runs. One that is off gets a process that stands still, which ends
 * with the backup unless it was stopped for it: then its system boots as soon as the backup has begun, and so does one
 * that was paused go on. PVE: VZDump/QemuServer.pm archive_vma.
 */
export async function whileItRuns(
  sim: Sim,
  task: TaskContext,
  power: GuestPower,
  copy: () => Promise<void>,
): Promise<void> {
  const { guest } = power;
  if (guest.type === 'lxc' || readArchive(archiveText(guest.config)).disks.size === 0) return copy();
  try {
    if (!guest.running) {
      task.log('INFO: starting kvm to execute backup task');
      await startGuest(sim, task, guest, { skiplock: true, forBackup: true });
    }
    const thaws = freezeFiles(sim, task, power);
    task.log('INFO: starting backup via QMP command');
    if (thaws) task.log("INFO: issuing guest-agent 'fs-thaw' command");
    task.log(`INFO: started backup task '${sim.random.uuid()}'`);
    goOnAtStart(sim, task, power);
    await copy();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    task.log(`ERROR: ${error.message}`);
    task.log('INFO: aborting backup job');
    goOnAtStart(sim, task, power);
    throw error;
  } finally {
    await endProcess(sim, task, power);
  }
}

/** Freezes the file systems for the moment in which the backup begins. True: it did, and they are to be thawed. */
function freezeFiles(
  sim: Sim,
  task: TaskContext,
  { guest, mode, wasRunning, wasPaused }: GuestPower,
): boolean {
  if (mode === 'stop' || !wasRunning || wasPaused) return false;
  const why = noFreezeWhy(sim, guest);
  const skipped = `skipping guest filesystem freeze - ${why}`;
  task.log(`INFO: ${why === undefined ? "issuing guest-agent 'fs-freeze' command" : skipped}`);
  return why === undefined;
}

function goOnAtStart(sim: Sim, task: TaskContext, power: GuestPower): void {
  const { guest, wasRunning, wasPaused, stoppedAt } = power;
  if (!wasRunning || wasPaused) return;
  const after = stoppedAt === undefined ? '' : ` after ${secondsSince(sim, stoppedAt)} seconds`;
  task.log(`INFO: resuming VM again${after}`);
  power.stoppedAt = undefined;
  const { running } = guest;
  if (!running) return;
  // it stood in front of its first instruction
  if (running.qmp === 'prelaunch') running.booted = sim.clock.now();
  running.qmp = 'running';
}

/** Ends a process that was there for the backup only. */
async function endProcess(sim: Sim, task: TaskContext, { guest, wasRunning }: GuestPower): Promise<void> {
  if (wasRunning || !guest.running) return;
  const { qmp } = guest.running;
  if (qmp === 'prelaunch') {
    task.log('INFO: stopping kvm after backup task');
    await stopGuest(sim, atOnce(sim, task), guest, { skiplock: true });
  } else {
    task.log(`INFO: kvm status changed after backup ('${qmp}') - keep VM running`);
  }
}

/** Brings the guest back to what it was, when the backup has ended, well or not. */
export async function goOn(sim: Sim, task: TaskContext, power: GuestPower): Promise<void> {
  const { guest, mends, wasPaused } = power;
  const isThere = sim.world.nodes.some(({ name, online }) => name === guest.node && online);
  if (mends === undefined || !isThere) return;
  const calm = atOnce(sim, task);
  try {
    if (mends === 'resume') {
      task.log('INFO: resume vm');
      if (!wasPaused) await runCommand(sim, calm, guest, 'resume');
    } else if (!guest.running) {
      task.log('INFO: restarting vm');
      await runCommand(sim, calm, guest, 'start');
    }
    tellOnline(sim, task, power);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    task.log(error.message);
  }
}

/** What cleans up goes on although somebody has stopped the task. */
function atOnce(sim: Sim, task: TaskContext): TaskContext {
  return { ...task, work: ms => sim.clock.sleep(ms), workUsual: () => Promise.resolve() };
}

function tellOnline(sim: Sim, task: TaskContext, power: GuestPower): void {
  if (power.stoppedAt === undefined) return;
  const seconds = secondsSince(sim, power.stoppedAt);
  task.log(`INFO: guest is online again after ${seconds < 1 ? '<1' : seconds} seconds`);
}

/** PVE: whole seconds of the clock. */
function secondsSince({ clock }: Sim, then: number): number {
  return Math.floor(clock.now() / 1000) - Math.floor(then / 1000);
}
