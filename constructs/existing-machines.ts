import { Token, type IResolvable } from 'cdktf';
import { Construct } from 'constructs';
import { clusterOf } from './cluster-of';
import type { ExistingMachinesProps } from './existing-machine-props';
import { Cluster } from './private/cluster/cluster';
import { refuseLoop } from './private/cluster/refuse-loop';
import { ExistingData } from './private/resources/existing-data';
import type { ProxmoxCluster } from './proxmox-cluster';

/**
 * All guests that carry a tag, by their numbers. They stay somebody else's: they are read at each plan, and nothing is
 * ever written to them. There may be none, unless `atLeast` says otherwise.
 */
export class ExistingMachines extends Construct {
  /** What they are called in the stack. */
  readonly existingId: string;
  /** The cluster that they are on. */
  readonly cluster: ProxmoxCluster;
  private readonly data: ExistingData;

  constructor(scope: Construct, id: string, props: ExistingMachinesProps) {
    super(scope, id);
    refuseLoop(this, props);
    const { cluster, tag: allWithTag, ...fields } = props;
    this.cluster = clusterOf(this, cluster);
    this.data = new ExistingData(Cluster.of(this.cluster), this, { id, ...fields, allWithTag });
    this.existingId = this.data.id;
  }

  /** How many there are. */
  get count(): number {
    return Token.asNumber(this.data.expression(all => `length(${all})`));
  }

  /** Their numbers. */
  get vmids(): number[] {
    return Token.asNumberList(this.data.expression(each('vmid')));
  }

  /** Their names in Proxmox, in the order of their numbers. */
  get guestNames(): string[] {
    return Token.asList(this.data.expression(each('name')));
  }

  /**
   * The first address of each, in the order of their numbers. A guest of which none is known is left out: each plan
   * warns of that and says why.
   */
  get primaryIpAddresses(): string[] {
    this.data.readsAddress();
    const known = (all: string): string =>
      `[for x in ${all} : x.primaryIpAddress if x.primaryIpAddress != null]`;
    return Token.asList(this.data.expression(known));
  }

  /** All that is known of them: a list of objects with `vmid`, `node`, `name`, `primaryIpAddress` and the other outputs. */
  get machines(): IResolvable {
    return this.data.address('');
  }
}

function each(field: string): (all: string) => string {
  return all => `[for x in ${all} : x.${field}]`;
}
