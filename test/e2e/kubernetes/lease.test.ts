import { pairOfHosts, LOSSES, takeOver, type PairOfHosts } from '../../support/lease/pair';
import { startKubernetes, type Kubernetes } from '../../support/kubernetes/start-kubernetes';
import { noKubernetes } from '../../support/kubernetes/where';
import { skipped } from '../../support/skipped';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const why = noKubernetes();
if (why !== undefined) skipped('two hosts take turns by a Lease of Kubernetes', why);
else {
  let kubernetes: Kubernetes;
  let pair: PairOfHosts;
  beforeAll(async () => {
    kubernetes = await startKubernetes();
    const rbac = path.join(__dirname, '..', '..', '..', 'kubernetes', 'rbac.yaml');
    kubernetes.done(['apply', '-f', '-'], readFileSync(rbac, 'utf8'));
    pair = await pairOfHosts(Number(new URL(kubernetes.server).port), port => ({
      args: ['--lease', 'kubernetes'],
      env: { KUBECONFIG: configAt(kubernetes, port) },
    }));
  });
  afterAll(async () => {
    await pair?.close();
    await kubernetes?.close();
  });

  test.each(Object.keys(LOSSES) as (keyof typeof LOSSES)[])(
    'the host at work is %s: the other one takes over, and nothing is written twice',
    async loss => {
      const { doubled } = await takeOver(pair, loss);
      expect(doubled).toEqual([]);
    },
  );
}

/** The daemon's kubeconfig, by a way of its own, in the namespace of its rights. */
function configAt(kubernetes: Kubernetes, port: number): string {
  const text = readFileSync(kubernetes.configOf('daemon'), 'utf8');
  const file = path.join(kubernetes.folder, `daemon-${port}.kubeconfig`);
  const there = text
    .replace(kubernetes.server, `https://127.0.0.1:${port}`)
    .replace('user: test}', 'user: test, namespace: pve-reconciler}');
  writeFileSync(file, there);
  return file;
}
