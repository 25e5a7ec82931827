import type { MachineSpec } from '../../spec';
import type { Cause, Changed, Refusal } from '../action';

/** A wish that Proxmox cannot carry out on the guest as it is. */
export interface Problem {
  field: string;
  from?: string | undefined;
  to?: string | undefined;
  why: string;
  detail: string;
  remedy: string;
  changed?: Changed;
  cause?: Cause;
  /** What rebuildOn has to name so that the machine is made anew instead; absent: that would not help. */
  rebuild?: NonNullable<MachineSpec['rebuildOn']>[number] | undefined;
}

/** What a plan says of a problem that no rebuild is to solve. */
export function refusalOf(machine: string, { why, detail, remedy, changed, cause }: Problem): Refusal {
  return { machine, why, detail, remedy, ...(changed && { changed }), ...(cause && { cause }) };
}
