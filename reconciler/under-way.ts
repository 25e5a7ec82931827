import type { ListedGuest, ObservedCluster, ObservedMachine } from './observed';
import type { ActiveTask, Pve } from './pve';
import { PveError, cloneTarget, eager, listActiveTasks, listGuests, pause, pauseAfter } from './pve';

interface Task extends ActiveTask {
  node: string;
}

/**
 * What was at work when this run began: an earlier run that was cut short may have left it. Until such a task ends,
 * what is read of its guest is about to change, and a guest that is being made has no name to be found by.
 */
export class UnderWay {
  /** The ids that the clones at work make, and the names of what is there: known as soon as Proxmox tells them. */
  private readonly targets = new Map<string, number>();
  private readonly names = new Map<string, string>();

  private constructor(
    private readonly pve: Pve,
    private readonly atStart: Task[],
  ) {}

  /** Reads the tasks of all nodes. Before any guest is looked at: what ends in between is then seen as done. */
  static async at(pve: Pve, { nodes }: ObservedCluster): Promise<UnderWay> {
    const online = nodes.filter(node => node.online).map(({ name }) => name);
    return new UnderWay(pve, await activeOn(pve, online));
  }

  /** How many guests others were making. */
  get births(): number {
    return this.atStart.filter(isBirth).length;
  }

  /**
   * Waits until none of these tasks runs any more, but not for a clone that has another name by now than `name`.
   * True: there was one to wait for, so read again.
   */
  async wait(
    concerns: (task: ActiveTask) => boolean,
    until: number,
    signal: AbortSignal,
    name?: string,
  ): Promise<boolean> {
    const started = Date.now();
    let left = await this.nameless(this.atStart.filter(concerns), name);
    const waits = left.length > 0;
    while (left.length > 0 && Date.now() < until) {
      await pause(pauseAfter(Date.now() - started, eager(this.pve.config.poll)), signal);
      const active = await activeOn(this.pve, [...new Set(left.map(({ node }) => node))]);
      const running = left.filter(({ upid }) => active.some(task => task.upid === upid));
      left = await this.nameless(running, name);
    }
    return waits;
  }

  /** Those of the tasks whose guest may be the one of this name. Without a name: all. */
  private async nameless(tasks: Task[], name: string | undefined): Promise<Task[]> {
    if (name === undefined) return tasks;
    // nothing tells which guest is made from nothing, before it is there
    const untold = tasks.filter(({ type, upid }) => type === 'qmclone' && !this.names.has(upid));
    await Promise.all([...new Set(untold.map(({ node }) => node))].map(node => this.tell(node, untold)));
    return tasks.filter(({ upid }) => (this.names.get(upid) ?? name) === name);
  }

  private async tell(node: string, untold: Task[]): Promise<void> {
    const here = untold.filter(task => task.node === node);
    try {
      await Promise.all(here.map(({ upid }) => this.target(upid)));
      if (!here.some(({ upid }) => this.targets.has(upid))) return;
      const guests = new Map((await listGuests(this.pve, node)).map(guest => [guest.vmid, guest.name]));
      for (const { upid } of here) {
        const vmid = this.targets.get(upid) ?? 0;
        const name = guests.get(vmid);
        // PVE: for a moment a clone has a placeholder for a name
        if (name !== undefined && name !== `VM ${vmid}`) this.names.set(upid, name);
      }
    } catch (error) {
      // not there yet, gone, or not to be seen: then only the task's end tells
      if (!(error instanceof PveError) || error.kind === 'unauthenticated') throw error;
    }
  }

  private async target(upid: string): Promise<void> {
    const vmid = this.targets.has(upid) ? undefined : await cloneTarget(this.pve, upid);
    if (vmid !== undefined) this.targets.set(upid, vmid);
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
