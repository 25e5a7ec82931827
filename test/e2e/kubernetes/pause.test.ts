import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';
import {
  conditionOf,
  kubernetesLab,
  machine,
  type KubernetesLab,
} from '../../support/kubernetes/kubernetes-lab';

describeKubernetes('kubectl annotate … pve-reconciler/pause=true', () => {
  let lab: KubernetesLab;
  beforeAll(async () => {
    lab = await kubernetesLab();
    lab.applyCluster();
    lab.start();
    lab.apply(machine('web'));
    await lab.untilReady('web');
  });
  afterAll(() => lab?.close());

  const annotate = (what: string): void =>
    void lab.kubernetes.done(['annotate', 'machine', 'web', '-n', 'team-a', what]);

  test('nothing is written, the condition says by whom it is paused, and what was seen stays', async () => {
    const { status } = await lab.untilReady('web');
    annotate('pve-reconciler/pause=true');
    const seen = await lab.untilIs('machines', 'web', each => conditionOf(each)?.reason === 'Paused');
    expect(conditionOf(seen)?.message).toContain(
      'by the annotation pve-reconciler/pause, which kubectl-annotate set',
    );
    expect(seen.status).toMatchObject({ phase: status?.phase, vmid: status?.vmid });
    lab.simulator.ledger.reset();
    lab.merge('web', { spec: { memory: '2Gi', tags: ['new'] } });
    await lab.untilIs(
      'machines',
      'web',
      each => each.status?.observedGeneration === each.metadata.generation,
    );
    await new Promise(resolve => setTimeout(resolve, 1_000));
    expect(lab.writes()).toEqual([]);
  });

  test('a deletion waits, and says why; without the annotation it goes on', async () => {
    lab.remove('web');
    const seen = await lab.untilIs(
      'machines',
      'web',
      each => conditionOf(each)?.reason === 'DeletionRefused',
    );
    expect(conditionOf(seen)?.message).toContain('the annotation pve-reconciler/pause is set');
    expect(lab.guests('web')).toHaveLength(1);
    annotate('pve-reconciler/pause-');
    await lab.untilGone('machines', 'web');
    expect(lab.guests('web')).toEqual([]);
  });
});
