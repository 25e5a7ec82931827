import { TerraformStack, type IResolvable } from 'cdktf';
import { Construct } from 'constructs';
import type { ClusterSpec } from '../spec';
import { parseCluster } from '../spec';
import { SpecError } from './errors';
import { literally } from './private/checked';
import { Cluster } from './private/cluster';
import { Facts } from './private/facts';
import type { ProxmoxClusterProps } from './proxmox-cluster-props';

/** A Proxmox cluster: how it is reached, what may be used of it, and the machines that a stack has on it. */
export class ProxmoxCluster extends Construct {
  /** The clusters of a stack. */
  static allIn(stack: TerraformStack): ProxmoxCluster[] {
    return stack.node.findAll().filter(node => node instanceof ProxmoxCluster);
  }

  readonly clusterName: string;
  private readonly facts: Facts;

  constructor(scope: Construct, id: string, props: ProxmoxClusterProps = {}) {
    super(scope, id);
    const { owner, defaults = {}, ...said } = props;
    const spec = literally(this.node.path, { name: id, ...said }, parseCluster);
    const stack = TerraformStack.of(this);
    const others = (): ProxmoxCluster[] => ProxmoxCluster.allIn(stack).filter(other => other !== this);
    this.clusterName = spec.name;
    const twin = others().find(other => other.clusterName === spec.name);
    if (twin !== undefined) {
      throw SpecError.at(
        this,
        `the cluster '${spec.name}' is in this stack already, as ${twin.node.path}. Use that one, or give this one another "name".`,
      );
    }
    const cluster = new Cluster(
      this,
      spec.name,
      owner ?? `${stack.node.id}/${spec.name}/\${terraform.workspace}`,
      { ...defaults },
      () => (others().length === 0 ? spec : withOwnPrefix(spec)),
    );
    this.facts = new Facts(cluster, this);
  }

  /** True when the API answers, the cluster has its quorum and a node is online. */
  get ready(): IResolvable {
    return this.facts.boolean('ready');
  }

  /** Version of Proxmox VE, such as "9.0.3". */
  get version(): string {
    return this.facts.text('version');
  }

  /** True when the cluster has its quorum. */
  get quorate(): IResolvable {
    return this.facts.boolean('quorate');
  }

  /** The names of the nodes that are there. */
  get nodes(): string[] {
    return this.facts.list('nodes', '[*].name');
  }
}

// With a second cluster in the stack no plain PVE_ secret may go to either: each reads its own variables.
function withOwnPrefix(spec: ClusterSpec): ClusterSpec {
  const prefix = `PVE_${spec.name.toUpperCase().replaceAll('-', '_')}_`;
  return { ...spec, credentials: { prefix, ...spec.credentials } };
}
