import { milliseconds } from '../../../spec';
import { ifSeen } from '../../observe/if-allowed';
import { linkedClones } from '../../run/reads/linked-clones';
import { proofOf } from '../../observe/proof';
import type { ListedGuest, ObservedGuest } from '../../observed';
import { listActiveTasks, type Pve } from '../../pve';
import type { Run } from '../../run/run';
import type { Waiting } from '../../waits/waiting';

/** Linked clones of a template that nobody is about to destroy. */
export interface StayingClones {
  clones: number[];
}

/** How long linked clones may stand with none of them going: what destroys them may begin later than we. */
const STILL_MS = 30_000;
const GOING = ['qmdestroy', 'qmshutdown', 'qmstop'];

/**
 * Those of some clones that no run of ours removes: waiting for their end is in vain. `known`: the ids that were told to
 * be machines of ours, which are not read again.
 */
export async function strangersAmong(
  pve: Pve,
  clones: readonly number[],
  guests: readonly ListedGuest[],
  known = new Set<number>(),
): Promise<number[]> {
  const listed = guests.filter(({ vmid }) => clones.includes(vmid) && !known.has(vmid));
  const proofs = await Promise.all(listed.map(guest => proofOf(pve, guest)));
  listed.forEach(({ vmid }, index) => typeof proofs[index] === 'object' && known.add(vmid));
  return listed.filter((_, index) => proofs[index] === undefined).map(({ vmid }) => vmid);
}

/** Linked clones of a template of ours may be leaving too, in processes of their own. */
export async function waitForClones(
  run: Run,
  guest: ObservedGuest,
  waiting: Waiting,
): Promise<boolean | StayingClones> {
  if (!guest.template) return false;
  let clones = await linkedClones(run.pve, guest, run.cluster.guests);
  if (clones.length === 0) return false;
  const known = new Set<number>();
  const stillMs = Math.min(STILL_MS, milliseconds(waiting.limit.allowed) / 2);
  let since = performance.now();
  let doStay = false;
  await waiting.until(
    () => `its linked clones to be gone (${clones.join(', ')})`,
    async () => {
      await run.refresh();
      const left = await linkedClones(run.pve, guest, run.cluster.guests);
      // one that somebody made meanwhile does not go: who looks again refuses
      const strangers = await strangersAmong(run.pve, left, run.cluster.guests, known);
      if (left.length === 0 || strangers.length > 0) return true;
      if (left.length < clones.length || (await isOneGoing(run, left))) since = performance.now();
      clones = left;
      doStay = performance.now() - since >= stillMs;
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
