import { descriptionOf } from '../../observe/guest';
import { ifListed, ifSeen } from '../../observe/if-allowed';
import type { ListedGuest } from '../../observed';
import { cloneTarget, listFailedClones, readConfig, type FailedClone } from '../../pve';
import { startedBy } from '../../waits/running-task';
import { lockHolder } from '../../waits/running-tasks';
import type { Run } from '../run';

/** What a clone left when the quorum went: a part of a guest under a lock that nobody holds any more. */
export interface CloneLeftover {
  vmid: number;
  node: string;
  /** Whose mark it has. Absent: it has no name and no mark yet, and the log of a failed clone of this caller names it. */
  owner?: string;
  machine?: string;
  /** Why the clone failed, as its task says. */
  why?: string;
}

/**
 * What clones of these owners, or of this caller, left behind. Costs no request where no guest of the listing has the lock
 * of a clone. A token may not lift a lock (recording g5), so that nothing here removes one. Reads only.
 */
export async function cloneLeftovers(run: Run, owners: ReadonlySet<string>): Promise<CloneLeftover[]> {
  const locked = run.cluster.guests.filter(({ type, lock }) => type === 'qemu' && lock === 'clone');
  const failed = new FailedClones(run);
  const found: CloneLeftover[] = [];
  for (const guest of locked) {
    const left = await leftoverOf(run, guest, owners, failed);
    if (left) found.push(left);
  }
  return found;
}

async function leftoverOf(
  run: Run,
  listed: ListedGuest,
  owners: ReadonlySet<string>,
  failed: FailedClones,
): Promise<CloneLeftover | undefined> {
  const { vmid, node } = listed;
  // before it is read: what ends in between is then seen as done
  if (await lockHolder(run.pve, run.cluster, listed, 'clone')) return undefined;
  const config = await ifListed(readConfig(run.pve, listed));
  if (config?.current['lock'] !== 'clone') return undefined;
  const { mark, isDamaged } = descriptionOf(config);
  if (isDamaged) return undefined;
  if (mark)
    return owners.has(mark.owner) ? { vmid, node, owner: mark.owner, machine: mark.machine } : undefined;
  const clone = await failed.thatMade(listed);
  return clone && { vmid, node, ...(clone.status !== undefined && { why: clone.status }) };
}

/** The clones on each node that failed, each read once. */
class FailedClones {
  private readonly lists = new Map<string, Promise<readonly FailedClone[]>>();
  private readonly targets = new Map<string, number | undefined>();

  constructor(private readonly run: Run) {}

  /** The last one that was to make this guest, where this caller began it. A clone runs where its guest is until its end. */
  async thatMade({ node, vmid }: ListedGuest): Promise<FailedClone | undefined> {
    const list = this.lists.get(node) ?? this.read(node);
    this.lists.set(node, list);
    for (const clone of await list) if ((await this.targetOf(clone)) === vmid) return this.ifOurs(clone);
    return undefined;
  }

  private ifOurs(clone: FailedClone): FailedClone | undefined {
    const { caller } = this.run.cluster;
    return caller !== undefined && clone.user !== undefined && startedBy(clone, caller) ? clone : undefined;
  }

  private async read(node: string): Promise<readonly FailedClone[]> {
    return (await ifSeen(listFailedClones(this.run.pve, node))) ?? [];
  }

  private async targetOf({ upid }: FailedClone): Promise<number | undefined> {
    if (!this.targets.has(upid)) this.targets.set(upid, await ifSeen(cloneTarget(this.run.pve, upid)));
    return this.targets.get(upid);
  }
}
