import { TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import { parseCluster } from '../spec';
import { literalProps } from './private/tokens/literal-only';
import { takeClusterName, withOwnPrefix } from './private/cluster/names';
import { leaversObserver } from './private/resources/observer';
import { requireRemoval } from './private/stack/providers';
import { reconcilerProgram } from './private/stack/reconciler-file';
import { removedRegistry } from './private/resources/registry';
import type { ProxmoxClusterProps } from './proxmox-cluster-props';

/** How the cluster is reached: what its ProxmoxCluster said. */
export type RemovedClusterProps = Omit<ProxmoxClusterProps, 'owner' | 'defaults'>;

/**
 * Stands where a ProxmoxCluster was removed from the program: its machines are then destroyed. Without it Terraform
 * would forget them, and they would run on. Take it away once that was applied. It needs Terraform or OpenTofu 1.10.
 */
export class RemovedCluster extends Construct {
  constructor(scope: Construct, id: string, props: RemovedClusterProps = {}) {
    super(scope, id);
    const spec = literalProps(this.node.path, { name: id, ...props }, parseCluster);
    takeClusterName(this, spec.name);
    requireRemoval(TerraformStack.of(this));
    const removed = {
      name: spec.name,
      program: reconcilerProgram(this),
      spec: () => withOwnPrefix(this, spec),
    };
    removedRegistry(this, removed);
    leaversObserver(this, removed);
  }
}
