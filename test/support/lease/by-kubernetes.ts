import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startKubernetes } from '../kubernetes/start-kubernetes';

/** A Kubernetes where two hosts take turns by a Lease, each with the rights of the chart and no others. */
export async function leaseOfKubernetes() {
  const kubernetes = await startKubernetes();
  const rbac = path.join(process.cwd(), 'kubernetes', 'rbac.yaml');
  kubernetes.done(['apply', '-f', '-'], readFileSync(rbac, 'utf8'));
  return {
    port: Number(new URL(kubernetes.server).port),
    argsWith: (port: number) => ({
      args: ['--lease', 'kubernetes'],
      env: { KUBECONFIG: kubernetes.configOfPod(port) },
    }),
    close: kubernetes.close,
  };
}
