import type { Action } from '../action';
import { Limit } from '../pve';

export interface LimitSizes {
  clonesPerTemplate: number;
  tasksPerNode: number;
}

/** How much this process does at once; between processes Proxmox's own locks do it. */
export class Limits {
  private readonly limits = new Map<string, Limit>();

  constructor(private readonly sizes: LimitSizes) {}

  /** Runs the work of an action when the template and the node have room for it. */
  async use<T>(action: Action, work: () => Promise<T>): Promise<T> {
    if (action.kind === 'clone') {
      const { clonesPerTemplate, tasksPerNode } = this.sizes;
      const { source, params } = action;
      const node = this.limitOf(`node ${source.node}`, tasksPerNode);
      const onNode = (): Promise<T> => node.use(work);
      // a linked clone copies nothing: it takes a moment, and reads nothing of the template
      return params.full ? this.limitOf(`template ${source.vmid}`, clonesPerTemplate).use(onNode) : onNode();
    }
    if (action.kind === 'create')
      return this.limitOf(`node ${action.node}`, this.sizes.tasksPerNode).use(work);
    return work();
  }

  private limitOf(name: string, size: number): Limit {
    const limit = this.limits.get(name) ?? new Limit(size);
    this.limits.set(name, limit);
    return limit;
  }
}
