import {
  conditionOf,
  kubernetesLab,
  machine,
  type KubernetesLab,
} from '../../support/kubernetes/kubernetes-lab';
import { noKubernetes } from '../../support/kubernetes/where';
import { skipped } from '../../support/skipped';

const why = noKubernetes();
if (why !== undefined) skipped('a definition that is deleted in Kubernetes', why);
else {
  let lab: KubernetesLab;
  beforeAll(async () => {
    lab = await kubernetesLab();
    lab.applyCluster();
    lab.start();
  });
  afterAll(() => lab?.close());

  test('a definition that is deleted destroys no guest; without the finalizers it goes', async () => {
    lab.apply(machine('web'));
    await lab.untilIs('machines', 'web', seen => conditionOf(seen)?.status === 'True');
    lab.simulator.ledger.reset();
    lab.kubernetes.done(['delete', 'crd', 'machines.vitistack.io', '--wait=false']);
    const seen = await lab.untilIs(
      'machines',
      'web',
      each => conditionOf(each)?.reason === 'DeletionRefused',
    );
    expect(conditionOf(seen)?.message).toContain('machines.vitistack.io is being deleted');
    await new Promise(resolve => setTimeout(resolve, 1_500));
    expect(lab.writes()).toEqual([]);
    expect(lab.guests('web')).toHaveLength(1);
    const free = [
      'patch',
      'machine',
      'web',
      '-n',
      'team-a',
      '--type=merge',
      '-p',
      '{"metadata":{"finalizers":null}}',
    ];
    lab.kubernetes.done(free);
    await lab.untilGone('machines', 'web');
    expect(lab.guests('web')).toHaveLength(1);
  });
}
