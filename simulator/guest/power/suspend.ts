import { Failure, fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import { freeVolume } from '../../storage/volumes/volumes';
import type { TaskContext } from '../../tasks/task';
import { checkLock, loadGuest } from '../conf-file/load';
import { cardsAtBoot } from '../agent/cards-at-boot';
import { lockedInTask } from '../lock';
import { requireSavable } from '../migrate/local-resources';
import type { Place } from '../place';
import { checkRunning } from './running';
import { RUNNING_FACTS, allocateState, fillState, runningFacts } from './saved-state';

/** Makes a running guest stand still. One that stands still already stays so. */
export function pauseGuest(sim: Sim, task: TaskContext, place: Place, skiplock: boolean): Promise<void> {
  return lockedInTask(sim, task, place, async () => {
    const guest = loadGuest(sim, place.node, place.vmid);
    if (!skiplock && guest.config['lock'] !== 'backup') checkLock(guest);
    await task.workUsual(0.5);
    if (!guest.running) fail(`VM ${place.vmid} not running`);
    guest.running.qmp = 'paused';
  });
}

/** Lets a guest that stands still go on. One that runs goes on running. */
export function resumeGuest(sim: Sim, task: TaskContext, place: Place, skiplock: boolean): Promise<void> {
  return lockedInTask(sim, task, place, async () => {
    const guest = loadGuest(sim, place.node, place.vmid);
    if (!checkRunning(sim, place.node, place.vmid)) fail(`VM ${place.vmid} not running`);
    if (guest.running?.qmp === 'running') return;
    if (!skiplock && guest.config['lock'] !== 'backup') checkLock(guest);
    await task.workUsual(0.5);
    if (guest.running) guest.running.qmp = 'running';
  });
}

/** Presses the reset button. What stood still stands still in front of its first instruction. */
export function resetGuest(sim: Sim, task: TaskContext, place: Place, skiplock: boolean): Promise<void> {
  return lockedInTask(sim, task, place, async () => {
    const guest = loadGuest(sim, place.node, place.vmid);
    if (!skiplock) checkLock(guest);
    await task.workUsual(0.5);
    const { running } = guest;
    if (!running) fail(`VM ${place.vmid} not running`);
    // recording 70, step 15
    if (running.qmp !== 'running') running.qmp = 'prelaunch';
    running.booted = sim.clock.now();
    delete running.frozen;
    delete running.commands;
    if (guest.system.kind !== 'none') running.cards = cardsAtBoot(sim, guest);
  });
}

/** Writes a guest's memory to a volume and ends its process; the next start goes on from there. */
export async function suspendToDisk(
  sim: Sim,
  task: TaskContext,
  place: Place,
  { storage, skiplock }: { storage: string; skiplock: boolean },
): Promise<void> {
  const { guest, volume } = await lockedInTask(sim, task, place, () => {
    const loaded = loadGuest(sim, place.node, place.vmid);
    if (loaded.config['lock'] === 'backup') fail('cannot suspend to disk during backup');
    if (!skiplock) checkLock(loaded);
    requireSavable(loaded.config, true);
    if (!loaded.running) fail(`VM ${place.vmid} not running`);
    const day = new Date(sim.clock.now()).toISOString().slice(0, 10);
    const state = allocateState(sim, loaded, `suspend-${day}`, storage);
    Object.assign(loaded.config, runningFacts(loaded), { lock: 'suspending', vmstate: state.volid });
    return { guest: loaded, volume: state };
  });
  try {
    await task.workUsual();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    freeVolume(sim, volume);
    for (const key of ['vmstate', ...RUNNING_FACTS]) delete guest.config[key];
    // PVE leaves the lock `suspending`, as a sign that something went wrong
    throw error;
  }
  fillState(sim, volume);
  task.log('State saved, quitting');
  await lockedInTask(sim, task, place, () => {
    if (guest.config['lock'] !== 'suspending') fail('lock changed unexpectedly');
    guest.running = null;
    guest.config['lock'] = 'suspended';
  });
}
