import type { Identity } from '../../../reconciler/mark/identity';
import type { Mark } from '../../../reconciler/mark/mark';
import type {
  ListedGuest,
  ObservedCluster,
  ObservedGuest,
  ObservedMachine,
} from '../../../reconciler/observed';
import { ownerTag } from '../../../reconciler/mark/owner-tag';
import type { MachinePlan } from '../../../reconciler/action';
import {
  Facts,
  type Fact,
  type FactName,
  KnownFacts,
  type PlaceOfNew,
} from '../../../reconciler/machine/facts';
import {
  nothingDone,
  type WantedOfPlan,
  type Done,
  type PlanContext,
} from '../../../reconciler/machine/plan-context';
import { planMachine as planOf } from '../../../reconciler/plan/plan';
import type { ClusterSpec, MachineSpec } from '../../../spec';

export const OWNER = 'team';
export const UUID = '0f0e0d0c-0000-4000-8000-000000000001';

/** A mark of ours, as it stands on a guest that was created from nothing. */
export function mark(fields: Partial<Mark> = {}): Mark {
  return { owner: OWNER, machine: 'web', uuid: UUID, image: 'blank', ...fields };
}

/** A guest of ours that runs and waits for nothing. `config` is added to what makes it ours. */
export function guest(
  config: Record<string, string> = {},
  fields: Partial<ObservedGuest> = {},
): ObservedGuest {
  const identity = { name: 'web', smbios1: `uuid=${UUID}`, tags: ownerTag(OWNER, 'web') };
  return {
    vmid: 101,
    node: 'pve1',
    digest: 'd',
    current: { ...identity, ...config },
    pending: {},
    power: 'running',
    lock: undefined,
    pool: undefined,
    haManaged: false,
    template: false,
    description: '',
    mark: mark(),
    ...fields,
  };
}

/** A guest of the cluster's listing that is another's. */
export function listed(fields: Partial<ListedGuest> = {}): ListedGuest {
  return {
    ...{ vmid: 100, type: 'qemu', node: 'pve1', name: 'other', tags: [], template: false, power: 'stopped' },
    ...{ lock: undefined, pool: undefined, haManaged: false, memory: 0 },
    ...fields,
  };
}

/** The same as what is observed of a machine. */
export function present(
  config: Record<string, string> = {},
  fields: Partial<ObservedGuest> = {},
): ObservedMachine {
  return { kind: 'present', guest: guest(config, fields), unfinished: fields.mark?.isUnfinished === true };
}

/** A cluster of two nodes that has everything. */
export function cluster(fields: Partial<ObservedCluster> = {}): ObservedCluster {
  const node = (name: string) => ({
    name,
    online: true,
    maintenance: false,
    cpus: 8,
    memory: 2 ** 34,
    memoryUsed: 2 ** 30,
  });
  return {
    version: '9.2',
    quorate: true,
    nodes: [node('pve1'), node('pve2')],
    guests: [],
    nextId: { lower: 100, upper: 1_000_000 },
    permissions: {},
    ...fields,
  };
}

/** What a plan is made with, where it is not as ever, one word each; `facts` by `name` or `name of`. */
export type Given = Partial<Omit<WantedOfPlan, 'identity' | 'source'> & Done & PlaceOfNew> &
  Partial<Pick<Identity, 'owner' | 'entry'>> & { facts?: Json; clusterSpec?: ClusterSpec };
type Json = Record<string, unknown>;

/** A context in which a creation may be planned. */
export function planContext(given: Given = {}): PlanContext & { known: KnownFacts } {
  const { source, ...more } = given;
  const { owner = OWNER, entry, node = 'pve1', vmid = 101, image, destination, facts = {} } = more;
  const known = new KnownFacts();
  known.set('place', '', {
    ...{ node, vmid },
    ...(source && { source }),
    ...(image && { image }),
    ...(destination !== undefined && { destination }),
  });
  for (const [key, fact] of Object.entries(facts)) {
    const [name = '', of = ''] = key.split(' ');
    known.set(name as FactName, of, fact as Fact[FactName]);
  }
  const identity: Identity = { owner, ids: ['web'], ...(entry !== undefined && { entry }) };
  return {
    wanted: { secrets: {}, ...more, identity },
    done: { ...nothingDone(UUID), ...more },
    clusterSpec: given.clusterSpec ?? { name: 'lab' },
    facts: new Facts(undefined, known),
    known,
  };
}

/** The plan of a machine on a cluster, with what is known of it. */
export function planMachine(
  spec: MachineSpec,
  have: ObservedMachine,
  there: ObservedCluster,
  { known, ...context }: ReturnType<typeof planContext>,
): MachinePlan {
  return planOf(spec, have, { ...context, facts: new Facts(there, known) });
}
