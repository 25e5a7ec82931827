import type { ObservedNode } from '../observed';
import type { DaemonShared } from './attempts';

/** The nodes of one cluster that were online when it was last read. Tells who comes and goes. */
export class NodesOnline {
  private online = new Set<string>();

  constructor(
    private readonly cluster: string,
    private readonly around: Pick<DaemonShared, 'log'>,
  ) {}

  /** Takes what was read. Whether a node is back. */
  take(nodes: readonly Pick<ObservedNode, 'name' | 'online'>[]): boolean {
    const now = new Set(nodes.filter(each => each.online).map(({ name }) => name));
    const back = [...now].filter(node => !this.online.has(node));
    const gone = [...this.online].filter(node => !now.has(node));
    // of the first reading nothing is news
    if (this.online.size > 0) {
      back.forEach(node => this.tell('info', 'A node is back', node));
      gone.forEach(node => this.tell('warn', 'Lost a node', node));
    }
    this.online = now;
    return back.length > 0;
  }

  private tell(level: 'info' | 'warn', message: string, node: string): void {
    this.around.log({ level, message, fields: { cluster: this.cluster, node } });
  }
}
