import type { Action } from '../action';
import { Slots } from '../pve';

export interface LimitSizes {
  clonesPerTemplate: number;
  tasksPerNode: number;
}

/** How much this process does at once; between processes Proxmox's own locks do it. */
export class Limits {
  private readonly slots = new Map<string, Slots>();

  constructor(private readonly sizes: LimitSizes) {}

  /** Runs the work of an action when the template and the node have room for it. */
  async use<T>(action: Action, work: () => Promise<T>): Promise<T> {
    if (action.kind === 'clone') {
      const { clonesPerTemplate, tasksPerNode } = this.sizes;
      const template = this.slotsOf(`template ${action.source.vmid}`, clonesPerTemplate);
      const node = this.slotsOf(`node ${action.source.node}`, tasksPerNode);
      return template.use(() => node.use(work));
    }
    if (action.kind === 'create')
      return this.slotsOf(`node ${action.node}`, this.sizes.tasksPerNode).use(work);
    return work();
  }

  private slotsOf(name: string, size: number): Slots {
    const slots = this.slots.get(name) ?? new Slots(size);
    this.slots.set(name, slots);
    return slots;
  }
}
