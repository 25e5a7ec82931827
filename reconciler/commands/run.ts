import { checkDaemon, runDaemon } from '../daemon/daemon';
import type { Options, Surroundings } from '../input/surroundings';
import { InputError } from '../errors';

/** Keeps Proxmox as files say, or as the resources of a Kubernetes do, until it is interrupted. */
export async function run(around: Surroundings, options: Options): Promise<number> {
  refuseLonely(options);
  const { leaseOf } = await import('../lease/lease-of.js');
  const found = await leaseOf(around, options);
  if (found === undefined) return work(around, options);
  if ('sharing' in found) return runDaemon(around, options, found);
  if (options.kubernetes !== true) await checkDaemon(around, options);
  const { whileHeld } = await import('../lease/while-held.js');
  return whileHeld(found.lease, around, held => work(held, options));
}

async function work(around: Surroundings, options: Options): Promise<number> {
  if (options.kubernetes !== true) return runDaemon(around, options);
  const { runKubernetes } = await import('../kubernetes/run-kubernetes.js');
  return runKubernetes(around, options);
}

function refuseLonely({ kubernetes, namespace, clusterNamespace }: Options): void {
  if (kubernetes === true || (namespace ?? clusterNamespace) === undefined) return;
  const flag = namespace !== undefined ? '--namespace' : '--cluster-namespace';
  throw new InputError(`${flag} means something with --kubernetes only: add it, or remove ${flag}.`);
}
