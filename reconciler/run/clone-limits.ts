import type { ActionOf } from '../action';
import { Limit } from '../pve';

export interface LimitSizes {
  clonesPerTemplate: number;
  tasksPerNode: number;
}

/** How much this process does at once; between processes Proxmox's own locks do it. */
export class Limits {
  private readonly limits = new Map<string, Limit>();

  constructor(private readonly sizes: LimitSizes) {}

  /** Makes a guest when the template and the node have room for it. */
  use<T>(action: ActionOf<'create' | 'clone'>, work: () => Promise<T>): Promise<T> {
    if (action.kind === 'clone') {
      const { clonesPerTemplate, tasksPerNode } = this.sizes;
      const template = this.limitOf(`template ${action.source.vmid}`, clonesPerTemplate);
      const node = this.limitOf(`node ${action.source.node}`, tasksPerNode);
      return template.use(() => node.use(work));
    }
    return this.limitOf(`node ${action.node}`, this.sizes.tasksPerNode).use(work);
  }

  private limitOf(name: string, size: number): Limit {
    const limit = this.limits.get(name) ?? new Limit(size);
    this.limits.set(name, limit);
    return limit;
  }
}
