import type { Refusal } from '../../action';
import type { Wanted } from '../../run/wanted';

/** The snapshot that a question named, and the guest that had it. */
export interface AskedSnapshot {
  name: string;
  vmid: number;
  /** When it was taken, by Proxmox's clock: another one of its name is not it. */
  taken: number;
}

/** Refuses a plan for another guest, or for another snapshot of the name, than the one that the question named. */
export function asAsked({ spec }: Wanted, asked: AskedSnapshot): NonNullable<Wanted['objection']> {
  let isDone = false;
  return (plan, have) => {
    // what then follows brings the machine to its spec
    if (isDone || plan.refusals.length > 0) return [];
    if (have.kind !== 'present' || have.guest.vmid !== asked.vmid)
      return [changed(spec.id, asked, `VM ${asked.vmid} is not this machine any more`)];
    const step = plan.actions.find(
      each => (each.kind === 'delete-snapshot' || each.kind === 'roll-back') && each.name === asked.name,
    );
    isDone = step === undefined;
    if (step === undefined || !('taken' in step) || step.taken === asked.taken) return [];
    return [
      changed(spec.id, asked, `VM ${asked.vmid} has another snapshot '${asked.name}' now, of ${time(step)}`),
    ];
  };
}

/** When a snapshot was taken, in words. */
export function time({ taken }: Pick<AskedSnapshot, 'taken'>): string {
  return new Date(taken * 1000).toISOString();
}

function changed(machine: string, asked: AskedSnapshot, what: string): Refusal {
  return {
    machine,
    why: 'changed',
    detail: `${what}: the question named snapshot ${asked.name} of ${time(asked)}.`,
    remedy: 'Look at its snapshots, and run again: then that one is asked for.',
    changed: 'nothing',
  };
}
