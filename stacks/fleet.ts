import { LocalBackend, TerraformOutput, TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { Machine, ProxmoxCluster, type MachineProps, type ProxmoxClusterProps } from '../constructs';

export interface FleetProps extends ProxmoxClusterProps {
  /** The machines, by their ids. */
  readonly machines: Readonly<Record<string, MachineProps>>;
}

/** One cluster and its machines, given as a table: the whole of many stacks. */
export class Fleet extends TerraformStack {
  constructor(scope: Construct, id: string, { machines, ...cluster }: FleetProps) {
    super(scope, id);
    // Relative, so that two checkouts synthesize the same; outside of cdktf.out, so that removing that loses nothing.
    new LocalBackend(this, { path: `../../../terraform.${id}.tfstate` });
    const lab = new ProxmoxCluster(this, id, cluster);
    for (const [name, props] of Object.entries(machines)) {
      const machine = new Machine(this, name, { cluster: lab, ...props });
      new TerraformOutput(this, `${name}-vmid`, { value: machine.vmid, staticId: true });
    }
  }
}
