import type { DesiredState } from '../../../spec';
import { secretsOf } from '../../../reconciler/config/cloud-init-secrets';
import type { Report } from '../../../reconciler/event';
import { reconcileMachines, type Ending } from '../../../reconciler/life/reconcile-machine';
import type { Pve } from '../../../reconciler/pve';
import { Run } from '../../../reconciler/run/run';
import { Shared } from '../../../reconciler/run/shared';
import { wantedOf } from '../../../reconciler/run/wanted';

/** Reconciles a desired state once, by a connection that is there. */
export async function reconcileOnce(
  state: DesiredState,
  pve: Pve,
  report: Report = () => undefined,
  signal: AbortSignal = new AbortController().signal,
): Promise<Ending[]> {
  const run = new Run(new Shared(pve, state.cluster), { report, signal, fleet: state });
  try {
    await run.read();
    return await reconcileMachines(
      run,
      state.machines.map(spec => wantedOf(state, spec, secretsOf(spec, {}))),
    );
  } finally {
    run.close();
  }
}
