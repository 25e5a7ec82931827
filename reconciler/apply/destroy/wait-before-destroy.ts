import { milliseconds } from '../../../spec';
import type { Leaving } from './find-leaving';
import { linkedClones, strangersAmong } from './linked-clones';
import { ifSeen } from '../../observe/if-allowed';
import type { ObservedGuest } from '../../observed';
import { listActiveTasks } from '../../pve';
import type { Run } from '../../run/run';
import { waitForLock, waitForQuorum } from '../../waits/hindrances';
import { changesGuest, makesGuest, startedBy, type RunningTask } from '../../waits/running-task';
import { movesNewGuest } from '../../waits/running-tasks';
import type { Waiting } from '../../waits/waiting';

/** Linked clones of a template that nobody is about to destroy. */
interface StayingClones {
  clones: number[];
}

/** How long linked clones may stand with none of them going: what destroys them may begin later than we. */
const STILL_MS = 30_000;
const GOING = ['qmdestroy', 'qmshutdown', 'qmstop'];

/**
 * Waits for what must end or come back before a machine can be destroyed, or be called gone. True: it took a wait, so
 * look again.
 */
export async function waitBeforeDestroy(
  run: Run,
  leaving: Leaving,
  waiting: Waiting,
): Promise<boolean | StayingClones> {
  const { cluster, runningTasks } = run;
  if (leaving.kind === 'gone') {
    // a creation that was cut short has no name yet, and no spec is known that would tell its source
    const mayBeIt = (task: RunningTask): boolean =>
      startedBy(task, cluster.caller) && (makesGuest(task) || movesNewGuest(task, cluster.guests));
    return runningTasks.wait(mayBeIt, waiting, () => false);
  }
  if (leaving.kind !== 'found') return false;
  const { guest } = leaving;
  waiting.limit.allow('destroy', guest.mark?.l);
  if (cluster.quorate === false) {
    await waitForQuorum(run.shared.quorum, waiting);
    return true;
  }
  if (await runningTasks.wait(task => changesGuest(task, guest.vmid), waiting)) return true;
  return (await waitForLock(run, guest, waiting)) || waitForClones(run, guest, waiting);
}

/** Linked clones of a template of ours may be leaving too, in processes of their own. */
async function waitForClones(
  run: Run,
  guest: ObservedGuest,
  waiting: Waiting,
): Promise<boolean | StayingClones> {
  if (!guest.template) return false;
  let clones = await linkedClones(run.pve, guest, run.cluster.guests);
  if (clones.length === 0) return false;
  const known = new Set<number>();
  const stillMs = Math.min(STILL_MS, milliseconds(waiting.limit.allowed) / 2);
  let since = Date.now();
  let doStay = false;
  await waiting.until(
    () => `its linked clones to be gone (${clones.join(', ')})`,
    async () => {
      await run.refresh();
      const left = await linkedClones(run.pve, guest, run.cluster.guests);
      // one that somebody made meanwhile does not go: who looks again refuses
      const strangers = await strangersAmong(run.pve, left, run.cluster.guests, known);
      if (left.length === 0 || strangers.length > 0) return true;
      if (left.length < clones.length || (await isOneGoing(run, left))) since = Date.now();
      clones = left;
      doStay = Date.now() - since >= stillMs;
      return doStay || undefined;
    },
  );
  return doStay ? { clones } : true;
}

/** Whether a task that runs takes one of some guests away, or stops it first. */
async function isOneGoing({ pve, cluster }: Run, ids: readonly number[]): Promise<boolean> {
  const nodes = cluster.guests.filter(({ vmid }) => ids.includes(vmid)).map(({ node }) => node);
  const lists = await Promise.all([...new Set(nodes)].map(node => ifSeen(listActiveTasks(pve, node))));
  const tasks = lists.flatMap(list => list ?? []);
  return tasks.some(({ type, id }) => GOING.includes(type) && ids.includes(Number(id)));
}
