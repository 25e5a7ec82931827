import type { Statement } from './status/merged-status';
import type { StatusWriter } from './status/status-writer';
import type { ResourcePlan } from './resources/plan-of-resources';
import { CLUSTER_FINALIZER, readyReason, type Resource } from './resources/resource';

/** Writes what is wrong with resources, and that others are accepted. Nothing is sent for what is said already. */
export function tellFaults(statuses: StatusWriter, plan: ResourcePlan, all: readonly Resource[]): void {
  const { faults } = plan;
  for (const resource of all) {
    const { role } = resource.kind;
    const { generation } = resource;
    const fault = faults.get(resource.uid);
    const type = role === 'other' ? 'Accepted' : 'Ready';
    if (resource.isBeingDeleted) {
      const words = deletionWords(resource, plan);
      if (words !== undefined) statuses.write(resource, { generation, conditions: [words] });
    } else if (fault !== undefined) {
      const condition: Statement = { type, status: 'False', ...fault };
      const changes = role === 'machine' ? { phase: 'Error' } : role === 'cluster' ? { ready: false } : {};
      statuses.write(resource, { generation, changes, conditions: [condition] });
    } else if (role === 'other') {
      const accepted: Statement = { type, status: 'True', reason: 'Accepted', message: 'is read' };
      statuses.write(resource, { generation, conditions: [accepted] });
    }
  }
}

/** What is said of a resource that is being deleted; undefined: that was said, or is nobody's business here. */
function deletionWords(resource: Resource, { deleted, toLetGo }: ResourcePlan): Statement | undefined {
  const found = deleted.find(each => each.resource === resource);
  const ready = { type: 'Ready', status: 'False' } as const;
  if (found?.why !== undefined) return { ...ready, reason: 'DeletionRefused', message: found.why };
  if (found !== undefined) {
    if (SAID.includes(readyReason(resource))) return undefined;
    return { ...ready, reason: 'Deleting', message: found.retains ? 'is let go of' : 'is destroyed' };
  }
  if (!resource.finalizers.includes(CLUSTER_FINALIZER) || toLetGo.includes(resource)) return undefined;
  return CLUSTER_STAYS;
}

/** What the last try said stays until the next one. */
const SAID: readonly unknown[] = ['DeletionRefused', 'NotLetGo'];

/** Of a cluster that is deleted while machines are bound to it. */
export const CLUSTER_STAYS: Statement = {
  ...{ type: 'Ready', status: 'False', reason: 'Deleting' },
  message: 'It is being deleted, and stays until no machine is in it any more.',
};
