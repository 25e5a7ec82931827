import { pairOfHosts, LOSSES, takeOver, type PairOfHosts } from '../../support/lease/pair';
import { startKubernetes, type Kubernetes } from '../../support/kubernetes/start-kubernetes';
import { noKubernetes } from '../../support/kubernetes/where';
import { skipped } from '../../support/skipped';
import { readFileSync } from 'node:fs';
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
      env: { KUBECONFIG: kubernetes.configOfPod(port) },
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
