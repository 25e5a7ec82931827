import { isDeepStrictEqual } from 'node:util';
import type { Action, GuestPlace } from '../action';
import type { Report } from '../event';

/** Reports the actions of one machine. One that is tried again is told once: how often is counted elsewhere. */
export class ActionEvents {
  /** Told last, and not ended well yet. */
  private begun: Action | undefined;

  constructor(
    private readonly machine: string,
    private readonly report: Report,
  ) {}

  started(action: Action, guest: GuestPlace | undefined): void {
    if (isDeepStrictEqual(action, this.begun)) return;
    this.begun = action;
    const { vmid, node } = ('vmid' in action ? action : guest) ?? { vmid: undefined, node: undefined };
    this.report({ kind: 'started', machine: this.machine, action, vmid, node });
  }

  finished(action: Action, { vmid, node }: GuestPlace, elapsedMs: number): void {
    this.begun = undefined;
    this.report({ kind: 'finished', machine: this.machine, action, vmid, node, elapsedMs });
  }

  failed(action: Action, error: unknown): void {
    this.report({ kind: 'failed', machine: this.machine, action, error });
  }
}
