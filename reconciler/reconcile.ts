import type { DesiredState } from '../spec';
import { converge } from './converge';
import type { Report } from './event';
import { Fleet } from './fleet';
import type { ObservedGuest } from './observed';
import type { Pve } from './pve';
import { Round } from './round';

/** How a run ended for one machine. */
export type Ending = { machine: string; guest: ObservedGuest } | { machine: string; error: unknown };

/** Brings Proxmox to the desired state, once. Safe to run again at any time, also after a crash half-way. */
export async function reconcile(
  { owner, cluster, machines, nodes }: DesiredState,
  pve: Pve,
  report: Report,
  signal: AbortSignal,
): Promise<Ending[]> {
  const fleet = await Fleet.open(pve, cluster, report, signal, { owner, machines, nodes });
  return Promise.all(
    machines.map(async spec => {
      const identity = { owner, ids: [spec.id, ...(spec.formerIds ?? [])] };
      try {
        return { machine: spec.id, guest: await converge(new Round(fleet, { spec, identity, secrets: {} })) };
      } catch (error) {
        return { machine: spec.id, error };
      }
    }),
  );
}
