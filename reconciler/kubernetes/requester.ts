import type { ClusterSpec, ClusterStatus, MachineSpec } from '../../spec';
import type { Requester, Removal } from '../daemon/sources/desired-source';
import type { MachineRecord } from '../daemon/machine-record';
import type { Event } from '../event';
import type { Statement } from './status/merged-status';
import type { EventWriter } from './status/event-writer';
import { happeningOf } from './status/happenings';
import type { StatusWriter } from './status/status-writer';
import { inWordsOfResources, unreachedWords } from './status/unreached';
import { CLUSTER_STAYS } from './tell-faults';
import type { Deletions } from './deletions';
import { machineKey, NOTHING_MATCHED, type Matched } from './matched';
import { nodeResources } from './resources/plan-of-resources';
import { isPaused, PAUSE, pausedBy, type Resource } from './resources/resource';
import type { ProxmoxIdentity } from '../run/proxmox-identity';
import type { Store } from './resources/store';

/** Shows in Kubernetes how all stands, and hands the daemon what is to go (deletions.ts). */
export class KubernetesRequester implements Requester {
  private matched: Matched = NOTHING_MATCHED;
  private readonly refused = new Set<string>();
  /** By cluster: what answers, and at which address. */
  private readonly proxmoxes = new Map<string, { address: string; proxmox: ProxmoxIdentity }>();

  constructor(
    private readonly store: Store,
    private readonly statuses: StatusWriter,
    private readonly events: EventWriter,
    private readonly deletions: Deletions,
    /** Something is to be read anew. */
    private readonly again: () => void,
  ) {}

  /** Takes what the last reading found. */
  match(matched: Matched): void {
    this.matched = matched;
    this.deletions.match(matched);
    for (const cluster of this.refused) if (!matched.clusters.includes(cluster)) this.refused.delete(cluster);
  }

  /** Whether Proxmox refuses the credentials of a cluster. */
  get isRefused(): boolean {
    return this.refused.size > 0;
  }

  answers(cluster: ClusterSpec, proxmox: ProxmoxIdentity): void {
    if (this.proxmoxOf(cluster) === proxmox) return;
    this.proxmoxes.set(cluster.name, { address: addressOf(cluster), proxmox });
    this.again();
  }

  /** Which Proxmox answers at the address that a cluster has now; undefined: nobody has asked it yet. */
  readonly proxmoxOf = (cluster: ClusterSpec): ProxmoxIdentity | undefined => {
    const known = this.proxmoxes.get(cluster.name);
    return known?.address === addressOf(cluster) ? known.proxmox : undefined;
  };

  happened(owner: string, event: Event): void {
    const resource = this.matched.byMachine.get(machineKey(owner, event.machine));
    const happening = resource && happeningOf(event);
    if (happening) this.events.write(resource, happening);
  }

  failed(owner: string, machine: string, text: string, isRefusal: boolean): void {
    const resource = this.matched.byMachine.get(machineKey(owner, machine));
    if (resource !== undefined)
      this.events.write(resource, {
        type: 'Warning',
        reason: isRefusal ? 'Refused' : 'Failed',
        message: text,
      });
  }

  stands(record: MachineRecord, spec: MachineSpec): void {
    const found = this.matched.bySpec.get(spec);
    if (found === undefined) return;
    const { resource, cluster } = found;
    // of one that is deleted, or wrong, meanwhile that is told
    const now = this.matched.byMachine.get(machineKey(record.owner, spec.id));
    if (now?.uid !== resource.uid || this.store.find(resource.uid)?.isBeingDeleted === true) return;
    const { conditions, ...outputs } = record.outputs;
    const fields = {
      ...{ ...outputs, cluster },
      ...(record.notes.length > 0 && { notes: record.notes }),
      ...(record.lastUpdated !== undefined && { lastUpdated: record.lastUpdated }),
    };
    const { generation } = resource;
    // of one that was not read, what was last seen stays
    const told = outputs.mode === 'paused' ? { changes: { mode: 'paused' } } : { fields };
    this.statuses.write(resource, { generation, ...told, conditions: withPause(resource, conditions) });
    if (outputs.mode === 'paused') return;
    this.snapshotsStand(
      resource,
      outputs.snapshots.map(({ name }) => name),
    );
  }

  clusterStands(cluster: string, status: ClusterStatus | undefined, why: string | undefined): void {
    const reason = why === undefined ? undefined : inWordsOfResources(why, cluster);
    if (reason === undefined) this.refused.delete(cluster);
    const all = this.store.all();
    const ready: Statement =
      reason === undefined
        ? { type: 'Ready', status: 'True', reason: 'Reachable', message: 'answers' }
        : { type: 'Ready', status: 'False', reason: 'Unreachable', message: reason };
    const proxmox = this.proxmoxes.get(cluster)?.proxmox;
    const changes = { ...status, ...(proxmox && { proxmox }), ready: reason === undefined };
    const resource = this.store.find(this.matched.byCluster.get(cluster)?.uid ?? '');
    if (resource !== undefined)
      this.statuses.write(resource, {
        ...{ generation: resource.generation, changes },
        conditions: [resource.isBeingDeleted && reason === undefined ? CLUSTER_STAYS : ready],
      });
    if (reason === undefined) return resource && this.nodesStand(all, resource, status);
    this.machinesWait(cluster, reason);
    this.deletions.unreachable(cluster, reason);
  }

  refusesLogin(cluster: string): void {
    this.refused.add(cluster);
    this.again();
  }

  removals(cluster: string): Removal[] {
    return this.deletions.removals(cluster);
  }

  alsoAsked(cluster: string) {
    return [...(this.matched.also.get(cluster) ?? [])];
  }

  /** Also those that are not held yet: that needs to know which Proxmox answers. */
  private machinesWait(cluster: string, reason: string): void {
    for (const { uid } of this.matched.right.get(cluster) ?? []) {
      const resource = this.store.find(uid);
      if (resource === undefined || resource.isBeingDeleted) continue;
      const words = unreachedWords(resource, cluster, reason);
      if (words !== undefined)
        this.statuses.write(resource, { generation: resource.generation, conditions: [words] });
    }
  }

  private snapshotsStand(machine: Resource, taken: readonly string[]): void {
    for (const resource of this.matched.snapshots.get(machine.uid) ?? []) {
      const isTaken = taken.includes(resource.name);
      const ready: Statement = isTaken
        ? { type: 'Ready', status: 'True', reason: 'Taken', message: 'is there' }
        : { type: 'Ready', status: 'False', reason: 'Pending', message: 'is not taken yet' };
      this.statuses.write(resource, { generation: resource.generation, conditions: [ready] });
    }
  }

  private nodesStand(all: readonly Resource[], cluster: Resource, status: ClusterStatus | undefined): void {
    const byName = nodeResources(all, cluster, this.matched.clusters.length === 1);
    for (const { name, ...node } of status?.nodes ?? []) {
      const resource = byName.get(name);
      const ready: Statement = {
        type: 'Ready',
        status: node.ready ? 'True' : 'False',
        ...{ reason: node.online ? (node.ready ? 'Online' : 'Maintenance') : 'Offline' },
        message: node.ready ? 'is online' : 'takes no machines now',
      };
      if (resource)
        this.statuses.write(resource, { generation: resource.generation, fields: node, conditions: [ready] });
    }
  }
}

/** Says by whom it is paused: that does not stand in its document. */
function withPause(resource: Resource, conditions: readonly Statement[]): readonly Statement[] {
  if (!isPaused(resource)) return conditions;
  const by = pausedBy(resource);
  const pause = `by the annotation ${PAUSE}${by === undefined ? '' : `, which ${by} set`}`;
  return conditions.map(each =>
    each.type === 'Ready' ? { ...each, reason: 'Paused', message: `${each.message} ${pause}` } : each,
  );
}

function addressOf({ endpoint, endpoints }: ClusterSpec): string {
  return JSON.stringify([endpoint, endpoints]);
}
