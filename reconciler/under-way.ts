import { setTimeout as sleep } from 'node:timers/promises';
import type { ListedGuest, ObservedCluster, ObservedMachine } from './observed';
import type { ActiveTask, Pve } from './pve';
import { PveError, listActiveTasks } from './pve';

interface Task extends ActiveTask {
  node: string;
}

/**
 * What was at work when this run began: an earlier run that was cut short may have left it. Until such a task ends,
 * what is read of its guest is about to change, and a guest that is being made has no name to be found by.
 */
export class UnderWay {
  private constructor(
    private readonly pve: Pve,
    private readonly atStart: Task[],
  ) {}

  /** Reads the tasks of all nodes. Before any guest is looked at: what ends in between is then seen as done. */
  static async at(pve: Pve, { nodes }: ObservedCluster): Promise<UnderWay> {
    const online = nodes.filter(node => node.online).map(({ name }) => name);
    return new UnderWay(pve, await activeOn(pve, online));
  }

  /** Waits until none of these tasks runs any more. True: there was one, so read again. */
  async wait(concerns: (task: ActiveTask) => boolean, until: number, signal: AbortSignal): Promise<boolean> {
    let left = this.atStart.filter(concerns);
    const waits = left.length > 0;
    while (left.length > 0 && Date.now() < until) {
      await sleep(this.pve.config.poll.ceilingMs, undefined, { signal });
      const active = await activeOn(this.pve, [...new Set(left.map(({ node }) => node))]);
      left = left.filter(({ upid }) => active.some(task => task.upid === upid));
    }
    return waits;
  }
}

async function activeOn(pve: Pve, nodes: string[]): Promise<Task[]> {
  const lists = await Promise.all(
    nodes.map(async node => (await activeOnOne(pve, node)).map(task => ({ ...task, node }))),
  );
  return lists.flat();
}

async function activeOnOne(pve: Pve, node: string): Promise<ActiveTask[]> {
  try {
    return await listActiveTasks(pve, node);
  } catch (error) {
    // what runs on a node that does not answer is seen when it is back
    if (error instanceof PveError && error.kind !== 'unauthenticated') return [];
    throw error;
  }
}

/** Whether a task makes a guest. Which one is not told before it has its name. */
export function isBirth({ type }: ActiveTask): boolean {
  return type === 'qmcreate' || type === 'qmclone';
}

/**
 * Whether a task moves what may be a clone on the way to its node: it has no tag yet, and while it moves it may be in
 * neither of two nodes' lists.
 */
export function movesNewborn({ type, id }: ActiveTask, guests: readonly ListedGuest[]): boolean {
  return type === 'qmigrate' && !guests.some(({ vmid, power }) => String(vmid) === id && power === 'running');
}

/** Whether a task may change what was just seen of a machine. */
export function mayChange(
  have: ObservedMachine,
  guests: readonly ListedGuest[],
): (task: ActiveTask) => boolean {
  if (have.kind === 'absent') return task => isBirth(task) || movesNewborn(task, guests);
  if (have.kind === 'refused') return () => false;
  const { guest, unfinished } = have.kind === 'present' ? have : { ...have, unfinished: false };
  return task => task.id === String(guest.vmid) || (unfinished && isBirth(task));
}
