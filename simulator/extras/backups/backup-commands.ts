import type { Sim } from '../../cluster/sim';
import { fail } from '../../failure';
import type { Place } from '../../guest/place';
import { pauseGuest, resumeGuest } from '../../guest/power/suspend';
import { isPaused, setRunning } from '../../guest/power/running';
import { startGuest, stopGuest } from '../../guest/power/start-stop';
import type { TaskContext } from '../../tasks/task';

/** What a backup does to the power of its guest, by a command of Proxmox that is a task of its own. */
export type Word = 'shutdown' | 'start' | 'suspend' | 'resume';

/** How often the backup looks whether its command has ended. */
const LOOK_MS = 100;

type Work = (sim: Sim, task: TaskContext, place: Place, seconds: number) => Promise<void>;

const OF_MACHINES: Record<Word, Work> = {
  shutdown: (sim, task, place, timeout) =>
    stopGuest(sim, task, place, { shutdown: true, skiplock: true, timeout }),
  start: (sim, task, place) => startGuest(sim, task, place, { skiplock: true }),
  suspend: (sim, task, place) => pauseGuest(sim, task, place, true),
  resume: (sim, task, place) => resumeGuest(sim, task, place, true),
};

// assumed: vzdump's part for containers was not read; a container obeys at once
const OF_CONTAINERS: Partial<Record<Word, Work>> = {
  shutdown: async (sim, task, { vmid }) => {
    await task.workUsual();
    const guest = sim.world.guests[vmid];
    if (guest) guest.running = null;
  },
  start: async (sim, task, { vmid }) => {
    await task.workUsual();
    const guest = sim.world.guests[vmid];
    if (guest) setRunning(sim, guest);
  },
};

/** Runs a command for the guest and takes its lines over. Fails when it fails. PVE: VZDump/QemuServer.pm stop_vm and the next. */
export async function runCommand(
  sim: Sim,
  task: TaskContext,
  place: Place,
  word: Word,
  seconds = 0,
): Promise<void> {
  const { node, vmid } = place;
  const isContainer = sim.world.guests[vmid]?.type === 'lxc';
  const work = (isContainer ? OF_CONTAINERS : OF_MACHINES)[word];
  if (!work) return;
  const text = `${isContainer ? 'pct' : 'qm'} ${word} ${vmid} --skiplock${
    word === 'shutdown' ? `${isContainer ? '' : ' --keepActive'} --timeout ${seconds}` : ''
  }`;
  const failed = (line: string): never => {
    task.log(`INFO: ${line}`);
    return fail(`command '${text}' failed: exit code 255`);
  };
  // PVE: the API refuses before there is a task
  if (word === 'shutdown' && isPaused(sim, node, vmid)) failed('VM is paused - cannot shutdown');
  const type = `${isContainer ? 'vz' : 'qm'}${word}`;
  const upid = sim.tasks.start({ type, id: String(vmid), node, user: 'root@pam' }, inner =>
    work(sim, inner, place, seconds),
  );
  await endOf(sim, task, upid);
  const { log = [], exitstatus = '' } = sim.tasks.find(upid) ?? {};
  for (const line of log.slice(0, -1)) task.log(`INFO: ${line}`);
  if (!/^(OK|WARNINGS: \d+)$/.test(exitstatus)) failed(exitstatus);
}

/** Waits for a command. Who stops the backup stops its command too. */
async function endOf(sim: Sim, task: TaskContext, upid: string): Promise<void> {
  try {
    while (sim.tasks.find(upid)?.status === 'running') await task.work(LOOK_MS);
  } catch (error) {
    sim.tasks.stop(upid);
    await sim.tasks.ended(upid);
    throw error;
  }
}
