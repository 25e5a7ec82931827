import {
  clusterDocuments,
  conditionOf,
  kubernetesLab,
  machine,
  type KubernetesLab,
} from '../../support/kubernetes/kubernetes-lab';
import { TOKEN } from '../../support/cluster/start-cluster';
import { until } from '../../support/daemon/daemon-lab';
import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';

describeKubernetes('others at work in Kubernetes', () => {
  let lab: KubernetesLab;
  beforeAll(async () => {
    lab = await kubernetesLab();
    lab.applyCluster();
  });
  afterEach(() => lab.stopAll());
  afterAll(() => lab?.close());

  test('two daemons at once make one guest, and both come to rest', async () => {
    const [one, two] = [lab.start(), lab.start()];
    lab.apply(machine('twin'));
    await lab.untilReady('twin');
    expect(lab.guests('twin')).toHaveLength(1);
    lab.merge('twin', { spec: { description: 'both' } });
    await lab.untilIs('machines', 'twin', seen => seen.status?.observedGeneration === 2);
    lab.remove('twin');
    await lab.untilGone('machines', 'twin');
    expect(lab.guests('twin')).toEqual([]);
    expect([one, two].map(daemon => daemon.said('Failed').length)).toEqual([0, 0]);
  });

  test('a finalizer that is removed by hand: the guest stays, and a new resource of its name takes it over', async () => {
    lab.start();
    lab.apply(machine('again'));
    const first = await lab.untilReady('again');
    await lab.stopAll();
    lab.remove('again');
    lab.merge('again', { metadata: { finalizers: null } });
    await lab.untilGone('machines', 'again');
    expect(lab.guests('again')).toHaveLength(1);
    const daemon = lab.start();
    await until(
      () => daemon.said('Orphan: nothing asks for it any more'),
      lines => lines.some(line => line['machine'] === 'again'),
    );
    lab.apply(machine('again'));
    const second = await lab.untilReady('again');
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
    expect(second.status?.vmid).toBe(first.status?.vmid);
    expect(lab.guests('again')).toHaveLength(1);
  });

  test('edits between the list and a write of ours are kept, and count', async () => {
    lab.start();
    lab.apply(machine('edited'));
    for (let n = 1; n <= 5; n += 1) lab.merge('edited', { spec: { description: `edit ${n}` } });
    const { metadata } = await lab.untilIs(
      'machines',
      'edited',
      seen => seen.spec['description'] === 'edit 5',
    );
    await lab.untilIs('machines', 'edited', seen => seen.status?.observedGeneration === metadata.generation);
    expect(lab.guests('edited')[0]?.config['description']).toContain('edit 5');
  });

  test('a cluster that is deleted first stays until its machines are gone', async () => {
    const daemon = lab.start();
    lab.apply(
      ...clusterDocuments(lab.simulator, TOKEN.secret, 'first'),
      machine('last', { cluster: 'first' }),
    );
    await lab.untilReady('last');
    lab.kubernetes.done(['delete', 'proxmoxcluster', 'first', '-n', 'team-a', '--wait=false']);
    const cluster = await lab.untilIs(
      'proxmoxclusters',
      'first',
      seen => conditionOf(seen)?.reason === 'Deleting',
    );
    expect(conditionOf(cluster)?.message).toContain('stays until no machine is in it');
    lab.remove('last');
    await lab.untilGone('machines', 'last');
    expect(lab.guests('last')).toEqual([]);
    await lab.untilGone('proxmoxclusters', 'first');
    expect(
      daemon.said('Orphan: nothing asks for it any more').filter(line => line['machine'] === 'last'),
    ).toEqual([]);
  });

  test('a Secret that went first: the machine says so, and goes once it is back', async () => {
    lab.start();
    lab.apply(
      ...clusterDocuments(lab.simulator, TOKEN.secret, 'second'),
      machine('held', { cluster: 'second' }),
    );
    await lab.untilReady('held');
    await lab.stopAll();
    lab.kubernetes.done(['delete', 'secret', 'second-access', '-n', 'team-a']);
    lab.remove('held');
    lab.start();
    const held = await lab.untilIs(
      'machines',
      'held',
      seen => conditionOf(seen)?.reason === 'DeletionRefused',
    );
    expect(conditionOf(held)?.message).toContain('cluster second is not there, or cannot be used');
    const cluster = await lab.untilIs(
      'proxmoxclusters',
      'second',
      seen => conditionOf(seen)?.reason === 'InvalidSpec',
    );
    expect(conditionOf(cluster)?.message).toContain('"second-access" names no secret of namespace team-a');
    expect(lab.guests('held')).toHaveLength(1);
    lab.apply(...clusterDocuments(lab.simulator, TOKEN.secret, 'second').slice(0, 1));
    await lab.untilGone('machines', 'held');
    expect(lab.guests('held')).toEqual([]);
  });

  test('a token that is rotated is used without a restart', async () => {
    const daemon = lab.start();
    lab.apply(machine('rotated'));
    await lab.untilReady('rotated');
    const user = lab.simulator.world.access.users['root@pam'];
    const full = user?.tokens['full'];
    if (full) full.value = 'rotated-secret';
    await lab.untilIs('proxmoxclusters', 'lab', seen => conditionOf(seen)?.status === 'False');
    lab.applyCluster('rotated-secret');
    await lab.untilIs('proxmoxclusters', 'lab', seen => conditionOf(seen)?.status === 'True');
    expect(daemon.said('New credentials')).not.toEqual([]);
    if (full) full.value = TOKEN.secret;
    lab.applyCluster();
    await lab.untilIs('proxmoxclusters', 'lab', seen => conditionOf(seen)?.status === 'True');
  });

  test('an API server that was away: what changed meanwhile is seen', async () => {
    lab.start();
    lab.apply(machine('away'));
    await lab.untilReady('away');
    await lab.kubernetes.restart(500);
    lab.merge('away', { spec: { description: 'after' } });
    await lab.untilIs('machines', 'away', seen => seen.status?.observedGeneration === 2);
    expect(lab.guests('away')[0]?.config['description']).toContain('after');
  });
});
