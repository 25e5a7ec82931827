import {
  conditionOf,
  kubernetesLab,
  machine,
  type KubernetesLab,
} from '../../support/kubernetes/kubernetes-lab';
import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';
import { crds } from '../../../reconciler/kubernetes/crds/crds';

const DEFINITION = 'proxmoxvirtualmachines.proxmox.vitistack.io';

describeKubernetes('a kind that is defined while a daemon runs in Kubernetes', () => {
  let lab: KubernetesLab;
  let daemon: ReturnType<KubernetesLab['start']>;
  beforeAll(async () => {
    lab = await kubernetesLab();
    lab.kubernetes.done(['delete', 'crd', DEFINITION, '--wait=true']);
    lab.applyCluster();
    daemon = lab.start();
  });
  afterAll(() => lab?.close());

  test('a document that comes again as one of that kind keeps its guest, before its watch tells it', async () => {
    lab.apply(machine('web'));
    await lab.untilReady('web');
    lab.simulator.ledger.reset();
    lab.kubernetes.done(['apply', '--server-side', '-f', '-'], [...crds().values()].join('\n---\n'));
    lab.kubernetes.done(['wait', '--for=condition=Established', `crd/${DEFINITION}`, '--timeout=60s']);
    lab.apply({
      ...machine('web'),
      ...{ apiVersion: 'proxmox.vitistack.io/v1alpha1', kind: 'ProxmoxVirtualMachine' },
    });
    lab.remove('web');
    const held = (): boolean => daemon.lines.some(line => JSON.stringify(line).includes('same guest'));
    await lab.untilTrue(() => held() || lab.guests('web').length === 0);
    expect(lab.guests('web')).toHaveLength(1);
    const seen = await lab.untilIs(
      'machines',
      'web',
      each => conditionOf(each)?.reason === 'DeletionRefused',
    );
    expect(conditionOf(seen)?.message).toContain('ProxmoxVirtualMachine team-a/web');
    expect(lab.writes()).toEqual([]);
    // the remedy leaves the guest to the other
    const free = ['--type=merge', '-p', '{"metadata":{"finalizers":null}}'];
    lab.kubernetes.done(['patch', 'machine', 'web', '-n', 'team-a', ...free]);
    await lab.untilGone('machines', 'web');
    const kept = await lab.untilIs(
      'proxmoxvirtualmachines',
      'web',
      each => conditionOf(each)?.status === 'True',
    );
    expect(kept.status?.vmid).toBe(lab.guests('web')[0]?.vmid);
    expect(lab.guests('web')).toHaveLength(1);
  }, 120_000);
});
