import { type Action, makesGuest } from '../../action';
import type { Run } from '../../run/run';
import { NodeLists, isPlaceholder } from '../../observe/node-lists';
import type { ListedGuest } from '../../observed';
import type { Wanted } from '../../run/wanted';

/** The id of a machine that is to be made: chosen once, and another one when somebody else has it. */
export class ChosenId {
  private vmid: number | undefined;
  private conflicts = 0;

  constructor(
    private readonly run: Run,
    private readonly wanted: Wanted,
  ) {}

  /** Undefined: no number is free. */
  get(): number | undefined {
    const { spec, identity, vmid: hint } = this.wanted;
    const asker = { owner: identity.owner, id: spec.id, hint, isTemplate: spec.asTemplate };
    this.vmid ??= spec.vmid ?? this.run.vmids.choose(this.run.cluster, this.rivalry(), asker);
    return this.vmid;
  }

  /** The id that Terraform's plan chose. The caller has seen that nobody has it. */
  planned(vmid: number): number {
    this.vmid ??= vmid;
    this.run.vmids.keep([this.vmid]);
    return this.vmid;
  }

  /** Somebody else has the id: another one next time. False: the spec gives the id, there is no other. */
  lose(action: Action): boolean {
    if (!makesGuest(action)) return false;
    this.vmid = undefined;
    this.conflicts += 1;
    return this.wanted.spec.vmid === undefined;
  }

  /** The guest that has the id which an action was to take, as last read. */
  holder(action: Action): ListedGuest | undefined {
    if (!makesGuest(action)) return undefined;
    return this.run.cluster.guests.find(({ vmid }) => vmid === action.vmid);
  }

  /**
   * Whether the guest that has the id may still turn out to be this machine: for a moment nothing tells whose it is.
   * A clone says it soon; what is made from nothing says it when it is there.
   */
  async isUntold(action: Action): Promise<boolean> {
    const holder = this.holder(action);
    if (holder === undefined || holder.type !== 'qemu') return false;
    const nodeLists = new NodeLists(this.run.pve, this.run.cluster);
    const now = await nodeLists.at(holder);
    if (now?.lock === 'create') return action.kind === 'create';
    return now?.lock === 'clone' && isPlaceholder(now);
  }

  /** What was at work at the start is no news any more when the listing was read again. */
  private rivalry(): { creates: number; conflicts: number } {
    return { creates: this.conflicts === 0 ? this.run.runningTasks.creates : 0, conflicts: this.conflicts };
  }
}
