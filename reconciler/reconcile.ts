import type { DesiredState } from '../spec';
import type { Environment } from './config/variables';
import type { Event, Report } from './event';
import { Run } from './run/run';
import { secretsOf } from './config/machine-secrets';
import type { Pve } from './pve';
import { reconcileMachine, tellOf, type Outcome } from './apply/reconcile-machine';

/** How a run ended for one machine. */
export type Ending = ({ machine: string } & Outcome) | { machine: string; error: unknown };

/** What a run takes from its surroundings. */
export interface Given {
  /** Where the passwords that a spec refers to are found. */
  environment: Environment;
  /** Nodes to take first for new machines, where they fit. */
  preferredNodes: readonly string[];
}

/**
 * Brings Proxmox to the desired state, once. Safe to run again at any time, also after a crash half-way. One machine's
 * failure never stops the others.
 */
export async function reconcile(
  { owner, cluster, machines, nodes }: DesiredState,
  pve: Pve,
  report: Report,
  signal: AbortSignal,
  { environment, preferredNodes }: Given = { environment: {}, preferredNodes: [] },
): Promise<Ending[]> {
  const made = new Set<string>();
  const reportAll: Report = event => {
    if (isCreate(event)) made.add(event.machine);
    report(event);
  };
  const run = await Run.open(pve, cluster, reportAll, signal, { owner, machines, nodes });
  run.preferredNodes = preferredNodes;
  return Promise.all(
    machines.map(async spec => {
      const identity = { owner, ids: [spec.id, ...(spec.formerIds ?? [])] };
      const wanted = { spec, identity, secrets: secretsOf(spec, environment) };
      try {
        const outcome = await reconcileMachine(run, wanted, () => made.has(spec.id));
        tellOf(spec.id, outcome, report);
        return { machine: spec.id, ...outcome };
      } catch (error) {
        report({ kind: 'failed', machine: spec.id, action: undefined, error });
        return { machine: spec.id, error };
      }
    }),
  );
}

function isCreate(event: Event): boolean {
  return event.kind === 'finished' && (event.action.kind === 'create' || event.action.kind === 'clone');
}
