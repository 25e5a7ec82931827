import { Token, type IResolvable } from 'cdktf';
import { Construct } from 'constructs';
import { parseNode } from '../spec';
import { SpecError } from './values/spec-error';
import { literalProps } from './private/tokens/literal-only';
import { Cluster } from './private/cluster/cluster';
import { clusterOf } from './cluster-of';
import type { ProxmoxCluster } from './proxmox-cluster';
import type { ProxmoxNodeProps } from './proxmox-node-props';

/** A node of a cluster: how much may be placed on it, and what is known of it. Making one changes no node. */
export class ProxmoxNode extends Construct {
  /** The cluster that it belongs to. */
  readonly cluster: ProxmoxCluster;
  /** The name that Proxmox gives the node. */
  readonly nodeName: string;
  private readonly parts: Cluster;

  constructor(scope: Construct, id: string, props: ProxmoxNodeProps = {}) {
    super(scope, id);
    const { cluster, ...said } = props;
    this.cluster = clusterOf(this, cluster);
    this.parts = Cluster.of(this.cluster);
    const spec = literalProps(this.node.path, { nodeName: id, ...said }, parseNode);
    this.nodeName = spec.nodeName;
    this.checkAllowed();
    const twin = this.parts.nodes.find(({ nodeName }) => nodeName === spec.nodeName);
    if (twin !== undefined) {
      throw SpecError.at(
        this,
        `nodeName: '${spec.nodeName}' is described already. Keep one ProxmoxNode of a node.`,
      );
    }
    this.parts.nodes.push(spec);
    this.parts.nodes.sort((one, other) => (one.nodeName < other.nodeName ? -1 : 1));
  }

  /** True when the node is online and not in maintenance. */
  get ready(): IResolvable {
    return this.known('ready');
  }

  /** What it has: `cpu.total` in cores, `memory.total` and `storage.total` in bytes. */
  get resources(): IResolvable {
    return this.known('resources');
  }

  /**
   * How many guests it has, without templates, after the machines of this stack are applied. A machine of the same
   * cluster may not read it.
   */
  get vmCount(): number {
    return Token.asNumber(this.parts.counts.of(this.nodeName));
  }

  private known(field: string): IResolvable {
    const of = (json: string): string =>
      `one([for node in ${json} : node.${field} if node.name == "${this.nodeName}"])`;
    return this.parts.facts.expression(of, 'nodes', '[]');
  }

  private checkAllowed(): void {
    const { name, nodes } = this.parts.spec();
    if (nodes === undefined || nodes.includes(this.nodeName)) return;
    throw SpecError.at(
      this,
      `nodeName: '${this.nodeName}' is not among the nodes of the cluster '${name}'; allowed: ${nodes.join(', ') || 'none'}. Name one of them, or add it to "nodes" of the cluster.`,
    );
  }
}
