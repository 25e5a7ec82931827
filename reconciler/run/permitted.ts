import type { Refusal } from '../action';
import type { Run } from './run';
import type { Planned } from '../plan/preflight';
import { preflight } from '../plan/preflight';

/**
 * What the caller may not do of a plan. Reads the source of a clone only where it decides that, once for all machines.
 */
export async function permitted(run: Run, planned: Omit<Planned, 'cluster'>): Promise<Refusal[]> {
  const { cluster } = run;
  const { context } = planned;
  const { refusals, unsure } = preflight({ ...planned, cluster });
  if (!unsure || context.source === undefined) return refusals;
  const config = await run.places.configIfThere(context.source);
  if (config === undefined) return refusals;
  const source = { ...context.source, config };
  return preflight({ ...planned, cluster, context: { ...context, source } }).refusals;
}
