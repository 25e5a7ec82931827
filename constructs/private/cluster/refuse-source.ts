import { TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import { sourceOf } from '../../values/image';
import { SpecError } from '../../values/spec-error';

/** Refuses an image of a machine that is not in the cluster: its id alone would name another one here. */
export function refuseSource(construct: Construct, cluster: Construct, image: unknown): void {
  const source = typeof image === 'object' && image !== null ? sourceOf(image) : undefined;
  if (!Construct.isConstruct(source) || !('cluster' in source) || source.cluster === cluster) return;
  const [home, stack] = [TerraformStack.of(source), TerraformStack.of(construct)];
  const whose = home === stack ? 'of another cluster of this stack' : `of the stack '${home.node.id}'`;
  throw SpecError.at(
    construct,
    `image: its source ${source.node.path} is ${whose}, and a machine is cloned from one of its own cluster and stack. Make the source there; where it is a template in Proxmox, name that: Image.fromTemplate.`,
  );
}
