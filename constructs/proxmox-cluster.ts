import { TerraformStack, type IResolvable } from 'cdktf';
import { Construct } from 'constructs';
import { parseCluster } from '../spec';
import { literally } from './private/checked';
import { Cluster } from './private/cluster';
import { takeClusterName, withOwnPrefix } from './private/cluster-names';
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
    this.clusterName = spec.name;
    takeClusterName(this, spec.name);
    const cluster = new Cluster(
      this,
      spec.name,
      owner ?? `${stack.node.id}/${spec.name}/\${terraform.workspace}`,
      { ...defaults },
      () => withOwnPrefix(this, spec),
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
