import { ifSeen } from '../../observe/if-allowed';
import type { SharedReads } from '../../observe/shared-reads';
import type { ListedGuest, ObservedCluster } from '../../observed';
import { runs, type ClusterTask } from '../../pve';
import { maySeeTasks } from '../../waits/running-tasks';

/** What each type of task leaves a guest as; undefined: that is to be asked. */
const LEAVES: Readonly<Record<string, ListedGuest['power'] | undefined>> = {
  hastart: 'running',
  hastop: 'stopped',
  qmreboot: 'running',
  qmrestore: undefined,
  qmresume: 'running',
  qmrollback: undefined,
  qmshutdown: 'stopped',
  qmstart: 'running',
  qmstop: 'stopped',
  qmsuspend: 'stopped',
};

/**
 * What the cluster's list of tasks says to a run that only reads: which nodes it need not ask. It is read once, after the
 * listing. Where the caller does not see it, every node is asked.
 */
export class ClusterTasks {
  private list: Promise<readonly ClusterTask[] | undefined> | undefined;

  constructor(
    private readonly reads: SharedReads,
    private readonly cluster: () => ObservedCluster,
  ) {}

  /** Those of some nodes that have something at work. */
  async nodesAtWork(nodes: readonly string[]): Promise<readonly string[]> {
    const list = await this.read();
    return list === undefined
      ? nodes
      : nodes.filter(name => list.some(task => task.node === name && runs(task)));
  }

  /**
   * Whether the last task that started or stopped a guest ended as the listing says, which lags by ten seconds. A guest
   * that went on or off without a task within these is reported as the listing says; the next plan tells it.
   */
  async confirms({ vmid, power }: Pick<ListedGuest, 'vmid' | 'power'>): Promise<boolean> {
    const list = await this.read();
    if (list === undefined) return false;
    const tasks = list.filter(({ id, type }) => id === String(vmid) && Object.hasOwn(LEAVES, type));
    const last = Math.max(...tasks.map(({ starttime = Infinity }) => starttime));
    return tasks
      .filter(({ starttime = Infinity }) => starttime === last)
      .every(task => !runs(task) && LEAVES[task.type] === power);
  }

  /**
   * Whether a task that was to destroy a guest failed, as far as it is remembered. Without a quorum the disks are gone by
   * then, and the configuration stays (behaviour.md §13.1).
   */
  async tellFailedDestroy({ vmid }: Pick<ListedGuest, 'vmid'>): Promise<boolean> {
    const tasks = (await this.read()) ?? [];
    return tasks.some(
      task => task.type === 'qmdestroy' && task.id === String(vmid) && !runs(task) && task.status !== 'OK',
    );
  }

  private read(): Promise<readonly ClusterTask[] | undefined> {
    this.list ??= maySeeTasks(this.cluster()) ? ifSeen(this.reads.tasks.now()) : Promise.resolve(undefined);
    return this.list;
  }
}
