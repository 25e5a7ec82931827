import type { MachineSpec } from '../spec';
import type { MachinePlan } from './action';
import type { Fleet } from './fleet';
import type { ListedGuest, ObservedCluster } from './observed';
import { placeFor } from './placement';
import type { CloneSource } from './plan-context';
import { readConfig } from './pve';
import { sourceCandidates } from './source';

/** Where a machine is born, and what it is cloned from. */
export interface Birthplace {
  node: string;
  source?: CloneSource;
}

/** Chooses node and source for a machine that is not there yet, or says why there is none. Reads only. */
export async function birthplace(
  fleet: Fleet,
  spec: MachineSpec,
  planned: string | undefined,
): Promise<Birthplace | MachinePlan> {
  const sources = sourceCandidates(spec, fleet.cluster.guests);
  if ('why' in sources) return refusal(spec, sources);
  await fleet.learn(interesting(fleet.cluster, spec, planned, sources.guests));
  const wanted = { ...spec, ...(planned === undefined ? {} : { node: planned }) };
  const place = (shared: boolean) =>
    placeFor(wanted, fleet.cluster, fleet.clusterSpec, { ...sources, shared }, fleet.preferredNodes);
  const beside = place(false);
  // only a clone that must go to another node than its source's needs to know where the source's disks are
  const choice = 'why' in beside && (await isShared(fleet, sources.guests[0])) ? place(true) : beside;
  if ('why' in choice) return refusal(spec, choice);
  const { node, source } = choice;
  return {
    node,
    ...(source
      ? {
          source: {
            node: source.node,
            vmid: source.vmid,
            name: source.name ?? String(source.vmid),
            template: source.template,
          },
        }
      : {}),
  };
}

function refusal(spec: MachineSpec, said: { why: string; detail: string; remedy: string }): MachinePlan {
  const refusals = [{ machine: spec.id, why: said.why, detail: said.detail, remedy: said.remedy }];
  return { machine: spec.id, changes: [], actions: [], refusals, waiting: [] };
}

/** The nodes that must be known in detail: the named one, else those of the sources, else all. */
function interesting(
  cluster: ObservedCluster,
  spec: MachineSpec,
  planned: string | undefined,
  sources: ListedGuest[],
): string[] {
  const named = planned ?? spec.node;
  if (named !== undefined) return [named, ...sources.map(({ node }) => node)];
  if (sources.length > 0) return sources.map(({ node }) => node);
  return cluster.nodes.map(({ name }) => name);
}

const DISK = /^(?:ide|sata|scsi|virtio|efidisk|tpmstate)\d+$/;

/** Whether every volume of a source is on shared storage, so that a clone may be born on another node. */
async function isShared(fleet: Fleet, source: ListedGuest | undefined): Promise<boolean> {
  if (!source) return false;
  const { current } = await readConfig(fleet.pve, source);
  const storages = fleet.cluster.nodes.find(({ name }) => name === source.node)?.storages ?? [];
  const shared = new Set(storages.filter(storage => storage.shared).map(({ name }) => name));
  return Object.entries(current)
    .filter(([key, value]) => DISK.test(key) && !value.startsWith('none'))
    .every(([, value]) => shared.has(value.slice(0, value.indexOf(':'))));
}
