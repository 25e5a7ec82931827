import { pairOfHosts, LOSSES, takeOver, type PairOfHosts } from '../../support/lease/pair';
import { leaseOfKubernetes } from '../../support/lease/by-kubernetes';
import { noKubernetes } from '../../support/kubernetes/where';
import { skipped } from '../../support/skipped';

const why = noKubernetes();
if (why !== undefined) skipped('two hosts take turns by a Lease of Kubernetes', why);
else {
  let lease: Awaited<ReturnType<typeof leaseOfKubernetes>>;
  let pair: PairOfHosts;
  beforeAll(async () => {
    lease = await leaseOfKubernetes();
    pair = await pairOfHosts(lease.port, lease.argsWith);
  });
  afterAll(async () => {
    await pair?.close();
    await lease?.close();
  });

  test.each(Object.keys(LOSSES) as (keyof typeof LOSSES)[])(
    'the host at work is %s: the other one takes over, and nothing is written twice',
    async loss => {
      const { doubled } = await takeOver(pair, loss);
      expect(doubled).toEqual([]);
    },
  );
}
