import path from 'node:path';
import type { Environment } from '../../config/cluster-variables';
import { InputError } from '../../errors';
import { accessOfKubeconfig, namespaceOfKubeconfig } from './kubeconfig';
import { readText, type KubernetesAccess } from './way';

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The namespace of the pod that this runs in, or of the context of KUBECONFIG. */
export async function ownNamespace(environment: Environment): Promise<string> {
  const file = kubeconfigIn(environment);
  if (file !== undefined) return namespaceOfKubeconfig(file);
  return readText(path.join(ACCOUNT, 'namespace')).trim();
}

/** Finds the way to Kubernetes: KUBECONFIG, else the service account of the pod. Reads files, sends nothing. */
export async function kubernetesAccess(environment: Environment): Promise<KubernetesAccess> {
  const file = kubeconfigIn(environment);
  if (file !== undefined) return accessOfKubeconfig(file);
  const host = environment['KUBERNETES_SERVICE_HOST'];
  if (host === undefined || host === '')
    throw new InputError(
      'KUBECONFIG is not set, and this is no pod of Kubernetes. Set KUBECONFIG to one file, or run it in a pod with a service account.',
    );
  const port = environment['KUBERNETES_SERVICE_PORT'] ?? '443';
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca: readText(path.join(ACCOUNT, 'ca.crt')),
    token: () => readText(path.join(ACCOUNT, 'token')).trim(),
  };
}

function kubeconfigIn(environment: Environment): string | undefined {
  return environment['KUBECONFIG'] || undefined;
}
