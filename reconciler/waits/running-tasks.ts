import type { SharedReads } from '../observe/shared-reads';
import { ifSeen } from '../observe/if-allowed';
import type { ListedGuest, ObservedCluster } from '../observed';
import {
  cloneTarget,
  listActiveTasks,
  listGuests,
  runs,
  type ActiveTask,
  type GuestAddress,
  type Pve,
  isOneLess,
} from '../pve';
import { changesGuest, makesGuest, mayHold, taskText, type RunningTask } from './running-task';
import type { Waiting } from './waiting';

export type Concerns = (task: RunningTask) => boolean;
/** Whether a guest of this name may be the one that is looked for. */
type MayBe = (name: string) => boolean;

/**
 * What was at work when this run began: an earlier run that was cut short may have left it. Until such a task ends,
 * what is read of its guest is about to change, and a guest that is being made has no name to be found by.
 */
export class RunningTasks {
  /** The ids that the clones at work make, and the names of what is there: known as soon as Proxmox tells them. */
  private readonly targets = new Map<string, number>();
  private readonly names = new Map<string, string>();

  private atStart: RunningTask[] = [];
  private readonly lists = new Map<string, Promise<void>>();

  constructor(private readonly pve: Pve) {}

  /**
   * Reads the tasks of some nodes, once each. What makes a guest may be on any node, and is read before a machine is
   * looked for: what ends in between is then seen as done.
   */
  async readOn(nodes: readonly string[]): Promise<void> {
    await Promise.all(nodes.map(node => this.listOf(node)));
  }

  private listOf(node: string): Promise<void> {
    const list = this.lists.get(node) ?? this.readNode(node);
    this.lists.set(node, list);
    return list;
  }

  private async readNode(node: string): Promise<void> {
    const tasks = await activeOn(this.pve, [node]);
    this.atStart = [...this.atStart, ...tasks];
  }

  /** How many guests others were making. */
  get creates(): number {
    return this.atStart.filter(makesGuest).length;
  }

  /** The tasks that concern somebody. With `mayBe`: but for those whose guest has a name, and one that it refuses. */
  async concerning(concerns: Concerns, mayBe?: MayBe): Promise<RunningTask[]> {
    return this.nameless(this.atStart.filter(concerns), mayBe);
  }

  /** Waits until none of these tasks runs any more. True: there was one, so read again. */
  async wait(concerns: Concerns, waiting: Waiting, mayBe?: MayBe): Promise<boolean> {
    const known = this.names.size;
    let left = await this.concerning(concerns, mayBe);
    // a guest that has got its name meanwhile is found by it
    if (left.length === 0) return this.names.size > known;
    const haveEnded = async (): Promise<true | undefined> => {
      // whose a task is may be known only now
      left = await this.nameless((await this.stillActive(left)).filter(concerns), mayBe);
      return left.length === 0 || undefined;
    };
    await waiting.until(() => left.map(taskText).join('; '), haveEnded);
    return true;
  }

  private async stillActive(tasks: RunningTask[]): Promise<RunningTask[]> {
    const active = await activeOn(this.pve, [...new Set(tasks.map(({ node }) => node))]);
    const running = tasks.filter(({ upid }) => active.some(task => task.upid === upid));
    this.atStart = this.atStart.filter(task => !tasks.includes(task) || running.includes(task));
    return running;
  }

  private async nameless(tasks: RunningTask[], mayBe: MayBe | undefined): Promise<RunningTask[]> {
    if (mayBe === undefined) return tasks;
    const untold = tasks.filter(({ upid }) => !this.names.has(upid));
    await Promise.all([...new Set(untold.map(({ node }) => node))].map(node => this.tell(node, untold)));
    return tasks.filter(({ upid }) => {
      const name = this.names.get(upid);
      return name === undefined || mayBe(name);
    });
  }

  private async tell(node: string, untold: RunningTask[]): Promise<void> {
    const here = untold.filter(task => task.node === node);
    try {
      await Promise.all(here.map(task => this.target(task)));
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
      if (!isOneLess(error)) throw error;
    }
  }

  private async target({ upid, type, id }: RunningTask): Promise<void> {
    if (this.targets.has(upid)) return;
    const vmid = type === 'qmclone' ? await cloneTarget(this.pve, upid) : Number(id);
    if (vmid !== undefined) this.targets.set(upid, vmid);
  }
}

/**
 * The running task that holds a guest's lock, as far as the caller may see tasks. Undefined: none is seen, and what
 * held it may have died.
 */
export async function lockHolder(
  pve: Pve,
  cluster: ObservedCluster,
  { node, vmid }: GuestAddress,
  lock: string,
): Promise<RunningTask | undefined> {
  // a clone runs where its source is
  const nodes = lock === 'clone' ? onlineNodes(cluster) : [node];
  const tasks = (await activeOn(pve, nodes)).filter(task => mayHold(task, lock, vmid));
  for (const task of tasks) {
    if (task.type !== 'qmclone' || (await ifSeen(cloneTarget(pve, task.upid))) === vmid) return task;
  }
  return undefined;
}

export function onlineNodes({ nodes }: ObservedCluster): string[] {
  return nodes.filter(node => node.online).map(({ name }) => name);
}

async function activeOn(pve: Pve, nodes: string[]): Promise<RunningTask[]> {
  const activeOnOne = async (node: string): Promise<RunningTask[]> => {
    // what runs on a node that does not answer is seen when it is back
    const tasks = (await ifSeen(listActiveTasks(pve, node))) ?? [];
    return tasks.map(task => ({ ...task, node }));
  };
  return (await Promise.all(nodes.map(activeOnOne))).flat();
}

/** Waits until no task works on these guests of a node: after a request whose outcome is not known. */
export async function untilNoneChanges(
  pve: Pve,
  node: string,
  ids: readonly number[],
  waiting: Waiting,
): Promise<void> {
  const what = `the tasks of ${ids.join(', ')} on ${node}, one of which may be ours`;
  const isBusy = async (): Promise<boolean> =>
    (await activeOn(pve, [node])).some(task => ids.some(vmid => changesGuest(task, vmid)));
  await waiting.until(
    () => what,
    async () => !(await isBusy()) || undefined,
  );
}

/**
 * Whether a task is at work on a guest, as far as somebody tells. What the cluster's list, which may be late, does not
 * tell yet is met as Proxmox's lock. Whom it tells nothing asks the guest's node.
 */
export async function isAtWorkOn(
  reads: SharedReads,
  cluster: ObservedCluster,
  { node, vmid }: GuestAddress,
): Promise<boolean> {
  const reading = maySeeTasks(cluster) ? reads.tasks.recent() : reads.tasksOn(node).now();
  const tasks: ActiveTask[] = (await ifSeen<ActiveTask[]>(reading)) ?? [];
  return tasks.filter(runs).some(task => changesGuest(task, vmid));
}

/** Whether the cluster's list of tasks names those of others, and of this token (behaviour.md §14.4). */
export function maySeeTasks({ permissions }: ObservedCluster): boolean {
  return 'Sys.Audit' in (permissions['/'] ?? {});
}

/**
 * Whether a task moves what may be a clone on the way to its node: it has no tag yet, and while it moves it may be in
 * neither of two nodes' lists.
 */
export function movesNewGuest({ type, id }: ActiveTask, guests: readonly ListedGuest[]): boolean {
  return type === 'qmigrate' && !guests.some(({ vmid, power }) => String(vmid) === id && power === 'running');
}
