import { ref, type IResolvable } from 'cdktf';
import type { ClusterView } from '../calls/cluster-view';
import { ExternalData } from '../stack/external-data';
import { countsName, registryName, revisionName } from './names';
import { queryOf } from '../calls/queries';

/**
 * How many guests each node has. It is read after the machines of the stack are applied: a count from before would
 * differ at the next plan. Unread it is not in the stack.
 */
export class NodeCounts {
  private read = false;

  constructor(private readonly cluster: ClusterView) {
    new ExternalData(cluster.scope, 'counts', {
      name: countsName(cluster.name),
      program: [...cluster.program, 'facts'],
      query: () => (this.read ? queryOf(cluster) : undefined),
      after: () =>
        [registryName(cluster.name), ...cluster.members.map(({ id }) => revisionName(cluster.name, id))].map(
          name => `null_resource.${name}`,
        ),
    });
  }

  /** The guests of a node, without templates; null when there is no such node. */
  of(node: string): IResolvable {
    this.read = true;
    const nodes = `jsondecode(data.external.${countsName(this.cluster.name)}.result["nodes"])`;
    return ref(`one([for node in ${nodes} : node.vmCount if node.name == "${node}"])`, this.cluster.stack);
  }
}
