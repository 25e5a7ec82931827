import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { isOfKind, refuseOtherVersion, wordsOf } from './private/copies';
import { SpecError } from './values/spec-error';
import { ProxmoxCluster } from './proxmox-cluster';

/** The cluster that a construct names, else the only one of its stack. */
export function clusterOf(construct: Construct, given: ProxmoxCluster | undefined): ProxmoxCluster {
  const stack = TerraformStack.of(construct);
  const all = ProxmoxCluster.allIn(stack);
  const cluster = given ?? (all.length === 1 ? all[0] : undefined);
  if (cluster === undefined) throw SpecError.at(construct, noCluster(all));
  if (!isOfKind(cluster, 'ProxmoxCluster')) {
    throw SpecError.at(
      construct,
      `cluster: ${wordsOf(cluster)} is no ProxmoxCluster. Give the construct, or remove it where the stack has one.`,
    );
  }
  refuseOtherVersion(construct, cluster);
  const home = TerraformStack.of(cluster);
  if (home === stack) return cluster;
  throw SpecError.at(
    construct,
    `its cluster ${cluster.node.path} is of the stack '${home.node.id}'. Make a ProxmoxCluster in the stack '${stack.node.id}': clusters are descriptions, and each stack has its own.`,
  );
}

function noCluster(all: readonly ProxmoxCluster[]): string {
  if (all.length === 0)
    return 'the stack has no ProxmoxCluster yet. Make one before its machines, in the same stack.';
  const names = all.map(({ node }) => node.path).join(', ');
  return `the stack has several clusters: ${names}. Say which one: "cluster".`;
}
