import type { ClusterView } from '../calls/cluster-view';
import { resolved } from '../tokens/resolved';
import { StackFile } from '../stack/file';
import { putBack, type Taken } from '../tokens/tokens';

/** The desired state of a cluster as one readable file in the stack's folder, for people and for the reconciler's own verbs. */
export class DesiredStateFile extends StackFile {
  constructor(cluster: ClusterView) {
    super(
      cluster.scope,
      'desired-state',
      `proxmox/${cluster.name}.json`,
      () => `${JSON.stringify(desiredState(cluster), null, 2)}\n`,
    );
  }
}

/** What a cluster's machines shall be. A value that only Terraform knows stands as `{"$unknown": "<expression>"}`. */
export function desiredState(cluster: ClusterView): object {
  const shown = (member: { spec(): Taken }): unknown =>
    putBack(member.spec(), token => ({ $unknown: expressionOf(cluster, token) }));
  return {
    version: 1,
    owner: cluster.owner,
    cluster: cluster.spec(),
    ...(cluster.nodes.length === 0 ? {} : { nodes: cluster.nodes }),
    machines: cluster.members.map(shown),
    ...(cluster.snapshots.length > 0 && { snapshots: cluster.snapshots.map(each => each.spec()) }),
    ...(cluster.existing.length > 0 && { existing: cluster.existing.map(shown) }),
  };
}

function expressionOf(cluster: ClusterView, token: unknown): string {
  const expression = resolved(cluster.stack, token);
  return typeof expression === 'string' ? expression : JSON.stringify(expression);
}
