import { TerraformOutput, type TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster, type MachineProps } from '../../../constructs';

/** A machine with nothing but what it needs. */
export const SMALL: MachineProps = { image: Image.fromTemplate('ubuntu-22.04'), memory: '1Gi' };

/** A stack with the cluster `lab`, machines by id, and each machine's vmid as an output. */
export function labStack(machines: Record<string, MachineProps>): (stack: TerraformStack) => void {
  return stack => {
    new ProxmoxCluster(stack, 'lab');
    for (const [id, props] of Object.entries(machines)) {
      const machine = new Machine(stack, id, props);
      new TerraformOutput(stack, `vmid-${id}`, { value: machine.vmid, staticId: true });
    }
  };
}

/** The address of a machine's revision. */
export const revision = (machine: string): string => `null_resource.machine_lab_${machine}`;

/** The address of a machine's entry in the registry. */
export const entry = (machine: string): string => `null_resource.machines_lab["${machine}"]`;
