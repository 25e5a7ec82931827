import { eachMachine } from './run/each-machine';
import { reconcileMachine, type Outcome } from './life/reconcile-machine';
import { secretsOf } from './config/cloud-init-secrets';
import type { Environment } from './config/cluster-variables';
import type { Report } from './event';
import type { Pve } from './pve';
import { Run } from './run/run';
import { Shared } from './run/shared';
import { wantedOf, type SourcedState } from './run/wanted';

/** How a run ended for one machine. */
export type Ending = ({ machine: string } & Outcome) | { machine: string; error: unknown };

/** What a run takes from its surroundings. */
export interface StateInput {
  /** Where the passwords that a spec refers to are found. */
  environment: Environment;
  /** Nodes to take first for new machines, where they fit. */
  preferredNodes: readonly string[];
  /** Whether somebody sees how much of a long copy is done. */
  tellsPercent?: boolean;
  /** Called when the cluster was read, before anything is changed. */
  begins?: (run: Run) => Promise<unknown>;
  /** Called when all machines have ended. */
  ended?: (run: Run) => Promise<unknown>;
}

/**
 * Brings Proxmox to the desired state, once. Safe to run again at any time, also after a crash half-way. One machine's
 * failure never stops the others.
 */
export async function reconcileState(
  state: SourcedState,
  pve: Pve,
  report: Report,
  signal: AbortSignal,
  { environment, preferredNodes, tellsPercent = false, begins, ended }: StateInput = {
    environment: {},
    preferredNodes: [],
  },
): Promise<Ending[]> {
  const { owner, cluster: clusterSpec, machines, nodes } = state;
  const fleet = { owner, machines, nodes };
  const run = new Run(new Shared(pve, clusterSpec), { report, signal, fleet, preferredNodes, tellsPercent });
  try {
    await run.read();
    await begins?.(run);
    const endings = await eachMachine<Ending>(
      machines.map(spec => wantedOf(state, spec, secretsOf(spec, environment))),
      async wanted => ({ machine: wanted.spec.id, ...(await reconcileMachine(run, wanted)) }),
      ({ spec: { id: machine } }, error) => {
        report({ kind: 'failed', machine, action: undefined, error });
        return { machine, error };
      },
    );
    await ended?.(run);
    return endings;
  } finally {
    run.close();
  }
}
