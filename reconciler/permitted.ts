import type { Refusal } from './action';
import type { Fleet } from './fleet';
import type { CloneSource } from './plan-context';
import { readConfig } from './pve';
import type { Planned } from './privileges/preflight';
import { preflight } from './privileges/preflight';

/**
 * What the caller may not do of a plan. Reads the source of a clone only where it decides that, once for all machines.
 */
export async function permitted(fleet: Fleet, planned: Omit<Planned, 'cluster'>): Promise<Refusal[]> {
  const { cluster } = fleet;
  const { context } = planned;
  const { refusals, unsure } = preflight({ ...planned, cluster });
  if (!unsure || context.source === undefined) return refusals;
  const source = await withConfig(fleet, context.source);
  return preflight({ ...planned, cluster, context: { ...context, source } }).refusals;
}

async function withConfig({ pve, sources }: Fleet, source: CloneSource): Promise<CloneSource> {
  const known = sources.get(source.vmid) ?? readConfig(pve, source).then(({ current }) => current);
  sources.set(source.vmid, known);
  return { ...source, config: await known };
}
