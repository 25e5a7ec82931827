import { kubernetesLab, machine, type KubernetesLab } from '../../support/kubernetes/kubernetes-lab';
import { ActsOnce } from '../../support/cluster/acts-once';
import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';

describeKubernetes('a mind that is changed during a destroy in Kubernetes', () => {
  let lab: KubernetesLab;
  const other = new ActsOnce();
  beforeAll(async () => {
    lab = await kubernetesLab({ before: other.asked });
    lab.applyCluster();
    lab.start();
  });
  afterAll(() => lab?.close());

  const RETAIN = { spec: { deletionPolicy: 'Retain' } };
  const FREE = { metadata: { finalizers: null } };
  const SNAPSHOTS = /^GET \/nodes\/pve1\/qemu\/\d+\/snapshot/;
  const STOP = /^POST \/nodes\/pve1\/qemu\/\d+\/status\/stop/;

  test.each<[what: string, name: string, patch: object, at: RegExp]>([
    ['Retain before the stop', 'early', RETAIN, SNAPSHOTS],
    ['Retain before the DELETE', 'late', RETAIN, STOP],
    ['without the finalizer, before the stop', 'freed', FREE, SNAPSHOTS],
  ])('%s: nothing is destroyed', async (_, name, patch, at) => {
    lab.apply(machine(name));
    await lab.untilReady(name);
    lab.remove(name);
    // kubectl holds this process up, and the daemon in it: nothing was asked yet
    other.before(at, () => Promise.resolve(lab.merge(name, patch)));
    await lab.untilTrue(() => other.hasActed());
    await lab.untilGone('machines', name);
    await new Promise(resolve => setTimeout(resolve, 1_000));
    expect(lab.guests(name)).toHaveLength(1);
  });
});
