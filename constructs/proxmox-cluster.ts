import { TerraformStack, type IResolvable } from 'cdktf';
import { Construct } from 'constructs';
import { parseCluster } from '../spec';
import { SpecError } from './values/spec-error';
import { checkedProps } from './private/checked-props';
import { noteKind, sharedMap } from './private/copies';
import { Cluster } from './private/cluster/cluster';
import { takeClusterName, withOwnPrefix } from './private/cluster/names';
import type { Facts } from './private/resources/facts';
import { literalOnly, literalProps } from './private/tokens/literal-only';
import { stateProblems } from './private/cluster/synth-problems';
import type { ProxmoxClusterProps } from './proxmox-cluster-props';

const OF_STACK = sharedMap<TerraformStack, ProxmoxCluster[]>('clusters of a stack');

/** A Proxmox cluster: how it is reached, what may be used of it, and the machines that a stack has on it. */
export class ProxmoxCluster extends Construct {
  /** The clusters of a stack. */
  static allIn(stack: TerraformStack): readonly ProxmoxCluster[] {
    return OF_STACK.get(stack) ?? [];
  }

  /** Its name, which selects its environment variables. */
  readonly clusterName: string;
  private readonly facts: Facts;

  constructor(scope: Construct, id: string, props: ProxmoxClusterProps = {}) {
    super(scope, id);
    noteKind(this, 'ProxmoxCluster');
    const { owner, defaults = {}, ...said } = props;
    const spec = literalProps(this.node.path, { name: id, ...said }, parseCluster);
    checkedProps(this.node.path, { name: spec.name, defaults }, parseCluster);
    const stack = TerraformStack.of(this);
    this.clusterName = spec.name;
    takeClusterName(this, spec.name);
    OF_STACK.set(stack, [...ProxmoxCluster.allIn(stack), this]);
    const cluster = new Cluster(
      this,
      spec.name,
      ownerOf(this, owner) ?? `${stack.node.id}/${spec.name}/\${terraform.workspace}`,
      { ...defaults },
      () => withOwnPrefix(this, spec),
    );
    this.facts = cluster.facts;
    this.node.addValidation({ validate: () => stateProblems(cluster) });
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

function ownerOf(cluster: ProxmoxCluster, owner: string | undefined): string | undefined {
  // it stands in conditions of Terraform as it is
  if (owner === undefined || !/["\\]|[$%]\{/.test(literalOnly(cluster, 'owner', owner))) return owner;
  throw SpecError.at(
    cluster,
    `owner: ${JSON.stringify(owner)} has a character that Terraform reads as its own; allowed: text on one line without ", \\, \${ and %{. Give another one.`,
  );
}
