import type { Resource } from '@cdktf/provider-null/lib/resource';
import { TerraformStack, type IResolvable, type ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import { SpecError } from './errors';
import type { MachineProps } from './machine-props';
import { Cluster } from './private/cluster';
import { Facts } from './private/facts';
import { makeRevision } from './private/revision';
import { WantedMachine } from './private/wanted-machine';
import { ProxmoxCluster } from './proxmox-cluster';

/** A machine on a Proxmox cluster. The construct checks what it says; Terraform and the reconciler make the guest. */
export class Machine extends Construct implements ITerraformDependable {
  /** The identity of the machine: unique in its cluster, and part of its address in Terraform. */
  readonly machineId: string;
  readonly cluster: ProxmoxCluster;
  private readonly wanted: WantedMachine;
  private readonly revision: Resource;
  private readonly facts: Facts;

  constructor(scope: Construct, id: string, props: MachineProps = {}) {
    super(scope, id);
    const { cluster, dependsOn = [], class: machineClass, ...fields } = props;
    this.cluster = clusterOf(this, cluster);
    const parts = Cluster.of(this.cluster);
    this.wanted = new WantedMachine(this, parts, { id, ...fields }, machineClass);
    this.machineId = this.wanted.id;
    parts.add(this.wanted);
    this.revision = makeRevision(parts, this, this.wanted, dependsOn);
    this.facts = new Facts(parts, this, {
      machine: this.machineId,
      query: () => ({ machine: this.machineId, revision: this.revision.id }),
    });
  }

  /** What `dependsOn` of another resource waits for: the machine is as its spec says. */
  get fqn(): string {
    return this.revision.fqn;
  }

  /** The guest's number. */
  get vmid(): number {
    return this.facts.number('vmid');
  }

  /** The node that it is on. */
  get nodeName(): string {
    return this.facts.text('node');
  }
}

function clusterOf(machine: Machine, given: ProxmoxCluster | undefined): ProxmoxCluster {
  const stack = TerraformStack.of(machine);
  const all = ProxmoxCluster.allIn(stack);
  const cluster = given ?? (all.length === 1 ? all[0] : undefined);
  if (cluster === undefined) {
    const names = all.map(({ node }) => node.path).join(', ');
    throw SpecError.at(
      machine,
      all.length === 0
        ? 'the stack has no ProxmoxCluster yet. Make one before its machines, in the same stack.'
        : `the stack has several clusters: ${names}. Say which one: "cluster".`,
    );
  }
  const home = TerraformStack.of(cluster);
  if (home !== stack) {
    throw SpecError.at(
      machine,
      `its cluster ${cluster.node.path} is of the stack '${home.node.id}'. Make a ProxmoxCluster in the stack '${stack.node.id}': clusters are descriptions, and each stack has its own.`,
    );
  }
  return cluster;
}
