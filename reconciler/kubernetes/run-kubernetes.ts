import { setMaxListeners } from 'node:events';
import { runDaemon } from '../daemon/daemon';
import { InputError } from '../errors';
import type { Options, Surroundings } from '../input/surroundings';
import { kubernetesAccess } from './api/access';
import { KubernetesClient } from './api/client';
import { KubernetesSource } from './kubernetes-source';

/** What has no meaning where resources say what is wanted, and what takes its place. */
const NOT_WITH: readonly { is: (options: Options) => boolean; says: string }[] = [
  {
    is: ({ spec = [], manifests = [] }) => spec.length + manifests.length > 0,
    says: '--kubernetes reads resources, and no files: remove --spec and --manifests, or run a second daemon for them.',
  },
  {
    is: ({ prune }) => prune === true,
    says: '--prune has no meaning with --kubernetes: a machine goes when its resource is deleted. Remove --prune.',
  },
  {
    is: ({ secrets }) => secrets !== undefined,
    says: '--secrets has no meaning with --kubernetes: Secrets are read from it. Remove --secrets.',
  },
  {
    is: ({ namespace, clusterNamespace = namespace }) =>
      namespace !== undefined && clusterNamespace !== namespace,
    says: '--cluster-namespace names another namespace than --namespace, and only that one is watched: remove one of both.',
  },
  {
    is: ({ clusterNamespace }) => clusterNamespace === '',
    says: '--cluster-namespace is empty: give a namespace, or leave it out.',
  },
  {
    is: ({ owner }) => owner === '',
    says: '--owner is empty: give the first part of the owner, or leave it out.',
  },
];

/** Keeps Proxmox as the resources of a Kubernetes say, until it is interrupted. Throws where it cannot even begin. */
export async function runKubernetes(around: Surroundings, options: Options): Promise<number> {
  const faults = NOT_WITH.filter(({ is }) => is(options)).map(({ says }) => says);
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  const client = new KubernetesClient(await kubernetesAccess(around.environment), around.lease?.beforeWrite);
  const stop = new AbortController();
  const signal = AbortSignal.any([around.signal, stop.signal]);
  // each watch and each write listens to it
  setMaxListeners(0, signal);
  const source = new KubernetesSource(client, options, { ...around, signal });
  const watching = source.run();
  try {
    return await runDaemon(around, options, { sources: source });
  } finally {
    stop.abort();
    await watching;
    client.close();
  }
}
