import { runDaemon } from '../daemon/daemon';
import type { Options, Surroundings } from '../input/surroundings';
import { InputError } from '../errors';

/** Keeps Proxmox as files say, or as the resources of a Kubernetes do, until it is interrupted. */
export async function run(around: Surroundings, options: Options): Promise<number> {
  if (options.kubernetes === true) {
    const { runKubernetes } = await import('../kubernetes/run-kubernetes.js');
    return runKubernetes(around, options);
  }
  const { namespace, clusterNamespace } = options;
  const flag = namespace !== undefined ? '--namespace' : '--cluster-namespace';
  if (namespace !== undefined || clusterNamespace !== undefined)
    throw new InputError(`${flag} means something with --kubernetes only: add it, or remove ${flag}.`);
  return runDaemon(around, options);
}
