import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import type { ClusterSpec } from '../../../spec';
import { SpecError } from '../../values/spec-error';
import { sharedMap } from '../copies';

const TAKEN = sharedMap<TerraformStack, Map<string, string>>('names of clusters');

/** Takes a cluster's name in its stack. Each name stands for one cluster: one that is there, or one that was removed. */
export function takeClusterName(construct: Construct, name: string): void {
  const taken = takenIn(TerraformStack.of(construct));
  // their variables and files would be the same where two names differ only in case
  const twin = [...taken].find(([one]) => one.toLowerCase() === name.toLowerCase());
  if (twin !== undefined) {
    throw SpecError.at(
      construct,
      `the cluster '${twin[0]}' is in this stack already, as ${twin[1]}. Use that one, or give this one another "name".`,
    );
  }
  taken.set(name, construct.node.path);
}

/** With a second cluster in the stack no plain PVE_ secret may go to either: each reads its own variables. */
export function withOwnPrefix(construct: Construct, spec: ClusterSpec): ClusterSpec {
  if (takenIn(TerraformStack.of(construct)).size < 2) return spec;
  const prefix = `PVE_${spec.name.toUpperCase().replaceAll('-', '_')}_`;
  return { ...spec, credentials: { prefix, ...spec.credentials } };
}

function takenIn(stack: TerraformStack): Map<string, string> {
  const taken = TAKEN.get(stack) ?? new Map<string, string>();
  TAKEN.set(stack, taken);
  return taken;
}
