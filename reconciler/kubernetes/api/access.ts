import path from 'node:path';
import type { Environment } from '../../config/variables';
import { MOST_SECRET_BYTES, readNamedNow } from '../../config/named-file';
import { InputError } from '../../errors';
import { accessOfKubeconfig } from './kubeconfig';

/** The way to an API server, and who asks. */
export interface KubernetesAccess {
  /** `https://host:port`, without a path. */
  server: string;
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
  /** Read anew for each request: a file is replaced before its token ends. Undefined: a certificate says who asks. */
  token: () => string | undefined;
}

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Finds the way to Kubernetes: KUBECONFIG, else the service account of the pod. Reads files, sends nothing. */
export async function kubernetesAccess(environment: Environment): Promise<KubernetesAccess> {
  const file = environment['KUBECONFIG'];
  if (file !== undefined && file !== '') return accessOfKubeconfig(file);
  const host = environment['KUBERNETES_SERVICE_HOST'];
  if (host === undefined || host === '')
    throw new InputError(
      '--kubernetes: KUBECONFIG is not set, and this is no pod of Kubernetes. Set KUBECONFIG to one file, or run it in a pod with a service account.',
    );
  const port = environment['KUBERNETES_SERVICE_PORT'] ?? '443';
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca: readText(path.join(ACCOUNT, 'ca.crt')),
    token: () => readText(path.join(ACCOUNT, 'token')).trim(),
  };
}

/** The text of a file of the configuration. */
export function readText(file: string): string {
  try {
    return readNamedNow(file, MOST_SECRET_BYTES).toString('utf8');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new InputError(`${file} cannot be read (${String(error.code)}).`);
  }
}
