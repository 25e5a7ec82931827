import { Failure, fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { TaskContext } from '../../tasks/task';
import type { Guest } from '../../world';
import { agentEnabled } from '../agent/enabled';
import { generateCloudInit } from '../cloud-init/image';
import { checkLock, loadGuest } from '../conf-file/load';
import { agentAnswers, hasBooted } from '../agent/booted';
import { lockedInTask } from '../lock';
import { applyPending } from '../config/pending';
import type { Place } from '../place';
import { cleanUpBehind, wentDown } from './clean-up';
import { checkRunning, setRunning } from './running';
import { checkStart } from './start-checks';
import { freeSavedState } from './saved-state';
import { startWarnings } from './start-warnings';

/** How a guest shall end. */
export interface StopWishes {
  /** Ask the guest's system first; else the plug is pulled. */
  shutdown?: boolean;
  /** Pull the plug when the system does not obey in time. */
  force?: boolean;
  /** Seconds; absent: a minute, or what the guest's startup order says. */
  timeout?: number | undefined;
  skiplock?: boolean;
  /** The clean-up starts it again, when it has ended itself. */
  reboots?: boolean;
}

/** How a guest shall start. */
export interface StartWishes {
  skiplock?: boolean;
  /** It is to stand still in front of its first instruction, and may be a template. */
  forBackup?: boolean;
}

const SHUTDOWN_SECONDS = 60;

/** Starts a guest inside a task, after taking its lock file. Fails with the texts of Proxmox's start. */
export function startGuest(
  sim: Sim,
  task: TaskContext,
  place: Place,
  { skiplock = false, forBackup = false }: StartWishes = {},
): Promise<void> {
  return lockedInTask(sim, task, place, async () => {
    const guest = loadGuest(sim, place.node, place.vmid);
    if (guest.config['template'] === '1' && !forBackup) fail("you can't start a vm if it's a template");
    if (!skiplock && guest.config['lock'] !== 'suspended') checkLock(guest);
    if (guest.running) fail(`VM ${place.vmid} already running`);
    await bootGuest(sim, task, guest, forBackup ? 'prelaunch' : 'running');
  });
}

/** Boots a guest that is off, or wakes it from its saved state. The caller holds the lock file. */
async function bootGuest(sim: Sim, task: TaskContext, guest: Guest, qmp: string): Promise<void> {
  const saved = guest.config['vmstate'] !== undefined;
  if (!saved) applyPending(sim, guest);
  // PVE: QemuServer.pm, vm_start_nolock, as read: it is left as it is only where a migration starts the guest
  generateCloudInit(sim, guest);
  checkStart(sim, guest, line => task.log(line));
  if (saved) task.log('Resuming suspended VM');
  for (const warning of startWarnings(guest.config)) task.warn(warning);
  await task.workUsual();
  setRunning(sim, guest, qmp);
  cleanUpBehind(sim, guest);
  if (!saved) return;
  // its system was up when the memory was saved
  if (guest.running) guest.running.booted = guest.running.since - guest.system.bootMs;
  task.log('Resumed VM, removing state');
  freeSavedState(sim, guest);
}

/** Stops a guest inside a task, after taking its lock file. One that is off stays off without a word. */
export function stopGuest(sim: Sim, task: TaskContext, place: Place, wishes: StopWishes = {}): Promise<void> {
  return lockedInTask(sim, task, place, () => stopUnlocked(sim, task, place, wishes));
}

/** Stops a guest whose lock file the caller holds. */
export async function stopUnlocked(
  sim: Sim,
  task: TaskContext,
  { node, vmid }: Place,
  wishes: StopWishes,
): Promise<void> {
  if (!checkRunning(sim, node, vmid)) return;
  const guest = loadGuest(sim, node, vmid);
  if (!wishes.skiplock) checkLock(guest);
  if (!wishes.shutdown) {
    await task.workUsual();
  } else if (!(await obeys(sim, task, guest, timeoutOf(guest, wishes)))) {
    if (!wishes.force) fail('VM quit/powerdown failed - got timeout');
    task.log('VM still running - terminating now with SIGTERM');
    await task.workUsual();
  }
  switchOff(sim, guest);
  if (!wishes.reboots) wentDown(sim, guest);
}

/** Takes the guest's process away and lets its waiting changes become its configuration. */
function switchOff(sim: Sim, guest: Guest): void {
  guest.running = null;
  try {
    applyPending(sim, guest);
  } catch (error) {
    // PVE: only warns, a guest stops without a quorum too
    if (!(error instanceof Failure)) throw error;
  }
}

function timeoutOf(guest: Guest, { timeout }: StopWishes): number {
  const down = /(?:^|,)down=(\d+)/.exec(guest.config['startup'] ?? '')?.[1];
  return timeout ?? (Number(down ?? 0) || SHUTDOWN_SECONDS);
}

/** Presses the guest's power button and waits; true when its system went down in time. */
async function obeys(sim: Sim, task: TaskContext, guest: Guest, seconds: number): Promise<boolean> {
  const byAgent = agentAnswers(sim, guest);
  if (agentEnabled(guest.config) && !byAgent) {
    // recording 72, step 15
    task.log(
      `QEMU Guest Agent is not running - VM ${guest.vmid} qga command 'guest-ping' failed - got timeout`,
    );
  }
  // assumed: the agent does not shut a frozen guest down, and Proxmox asks nobody else
  const isFrozen = byAgent && guest.running?.frozen;
  if (seconds > 0 && !isFrozen && (byAgent || (guest.system.obeysShutdown && hasBooted(sim, guest)))) {
    await task.workUsual();
    return true;
  }
  for (let waited = 0; waited < seconds && guest.running; waited += 1) await task.work(1000);
  return !guest.running;
}
