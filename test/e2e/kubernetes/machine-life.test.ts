import {
  conditionOf,
  kubernetesLab,
  machine,
  type KubernetesLab,
} from '../../support/kubernetes/kubernetes-lab';
import { until, type RunningDaemon } from '../../support/daemon/daemon-lab';
import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';

describeKubernetes('the life of a machine in Kubernetes', () => {
  let lab: KubernetesLab;
  let daemon: RunningDaemon;
  beforeAll(async () => {
    lab = await kubernetesLab();
    lab.applyCluster();
    daemon = lab.start();
  });
  afterAll(() => lab?.close());

  test('a machine is made, and its status tells how it stands', async () => {
    lab.apply(machine('web'));
    const { metadata, status } = await lab.untilReady('web');
    const [guest] = lab.guests('web');
    expect(status).toMatchObject({ vmid: guest?.vmid, node: 'pve1', cluster: 'lab', observedGeneration: 1 });
    expect(metadata.finalizers).toEqual(['pve-reconciler/guest']);
    expect(status?.conditions?.map(({ type }) => type)).toEqual([
      ...['Ready', 'VMCreated', 'ResourcesAllocated', 'NetworkConfigured'],
    ]);
    const shown = lab.kubernetes.done(['get', 'machines', 'web', '-n', 'team-a', '-o', 'wide']);
    expect(shown).toMatch(/NAME +PHASE +READY +VMID +NODE +ADDRESS +AGE +CLUSTER +MESSAGE/);
    expect(shown).toMatch(new RegExp(`web +Running +True +${guest?.vmid} +pve1`));
    await until(
      () => lab.events('web'),
      seen => seen.some(({ reason }) => reason === 'Created'),
    );
    const cluster = await lab.untilIs('proxmoxclusters', 'lab', seen => conditionOf(seen)?.status === 'True');
    expect(cluster.status).toMatchObject({ ready: true });
    expect(cluster.metadata.finalizers).toEqual(['pve-reconciler/machines']);
  });

  test('it is held in one write', () => {
    const patches = lab.kubernetes.requests().filter(({ line }) => line === 'patch machines team-a/web');
    expect(patches).toHaveLength(1);
  });

  test('a second look writes nothing, to Proxmox or to Kubernetes, and asks Kubernetes nothing', async () => {
    await lab.untilReady('web');
    const rounds = () =>
      daemon.metrics().then(text => Number(/count\{controller="cluster"\} (\d+)/.exec(text)?.[1]));
    const settled = await rounds();
    await until(rounds, seen => seen > settled + 2);
    await new Promise(resolve => setTimeout(resolve, 1_000));
    lab.simulator.ledger.reset();
    const before = lab.kubernetes.requests().length;
    const from = await rounds();
    await until(rounds, seen => seen > from + 4);
    expect(lab.writes()).toEqual([]);
    expect(lab.kubernetes.requests().slice(before)).toEqual([]);
  });

  test('a change is made, and the condition names its generation; its time stays while its status does', async () => {
    const before = conditionOf(await lab.get('machines', 'web'));
    await new Promise(resolve => setTimeout(resolve, 1_100));
    lab.merge('web', { spec: { description: 'new' } });
    const now = await lab.untilIs('machines', 'web', seen => seen.status?.observedGeneration === 2);
    expect(lab.guests('web')[0]?.config['description']).toContain('new');
    expect(conditionOf(now)).toMatchObject({
      status: 'True',
      observedGeneration: 2,
      lastTransitionTime: before?.lastTransitionTime,
    });
  });

  test('a resource that is wrong spoils only itself, and its condition says what to do', async () => {
    lab.apply(machine('bad', { memory: '1 potato' }), machine('good'));
    const bad = await lab.untilIs('machines', 'bad', seen => conditionOf(seen)?.reason === 'InvalidSpec');
    expect(conditionOf(bad)?.message).toMatch(/spec\.memory: "1 potato" .*allowed: /);
    expect(bad.metadata.finalizers).toBeUndefined();
    await lab.untilReady('good');
    lab.merge('bad', { spec: { memory: '1Gi' } });
    await lab.untilReady('bad');
  });

  test('what names something that is not there, or is wrong, says so', async () => {
    const classes = { apiVersion: 'infra.virtrigaud.io/v1beta1', kind: 'VMClass' };
    lab.apply(
      machine('lost', { classRef: { name: 'smal' } }),
      machine('named', { classRef: { name: 'wrong' } }),
      { ...classes, metadata: { name: 'small', namespace: 'team-a' }, spec: { cpus: 1 } },
      { ...classes, metadata: { name: 'wrong', namespace: 'team-a' }, spec: { memory: '1 potato' } },
    );
    const lost = await lab.untilIs('machines', 'lost', seen => conditionOf(seen) !== undefined);
    expect(conditionOf(lost)?.message).toContain('Did you mean "small"?');
    const named = await lab.untilIs('machines', 'named', seen => conditionOf(seen) !== undefined);
    expect(conditionOf(named)).toMatchObject({
      reason: 'DependencyInvalid',
      message: expect.stringContaining('VMClass team-a/wrong') as string,
    });
    const small = await lab.untilIs(
      'vmclasses',
      'small',
      seen => conditionOf(seen, 'Accepted') !== undefined,
    );
    expect(conditionOf(small, 'Accepted')?.status).toBe('True');
    const wrong = await lab.untilIs(
      'vmclasses',
      'wrong',
      seen => conditionOf(seen, 'Accepted') !== undefined,
    );
    expect(conditionOf(wrong, 'Accepted')?.status).toBe('False');
    expect(lab.guests('lost').concat(lab.guests('named'))).toEqual([]);
  });

  test('a Secret of another namespace is out of reach', async () => {
    lab.space('team-b');
    lab.apply({
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'theirs', namespace: 'team-b' } },
      stringData: { data: '#cloud-config\nhostname: stolen\n' },
    });
    const secretRef = { name: 'theirs', namespace: 'team-b', key: 'data' };
    lab.apply(machine('thief', { userData: { cloudInit: { secretRef } } }));
    const thief = await lab.untilIs('machines', 'thief', seen => conditionOf(seen) !== undefined);
    expect(conditionOf(thief)?.message).toContain('names a Secret of another namespace');
    expect(lab.kubernetes.requests().filter(({ line }) => line.includes('secrets team-b'))).toEqual([]);
  });

  test('a deleted machine is destroyed, and its resource goes with it', async () => {
    lab.remove('good');
    await lab.untilGone('machines', 'good');
    expect(lab.guests('good')).toEqual([]);
    const told = await lab.events('good');
    expect(told.map(({ reason }) => reason)).toContain('Destroyed');
  });

  test('a protected one stays, says why, and goes once it is not protected any more', async () => {
    lab.apply(machine('kept', { protection: true }));
    await lab.untilReady('kept');
    lab.remove('kept');
    const kept = await lab.untilIs(
      'machines',
      'kept',
      seen => conditionOf(seen)?.reason === 'DeletionRefused',
    );
    expect(conditionOf(kept)?.message).toContain('protect');
    expect(lab.guests('kept')).toHaveLength(1);
    const [guest] = lab.guests('kept');
    delete guest?.config['protection'];
    await lab.untilGone('machines', 'kept');
    expect(lab.guests('kept')).toEqual([]);
  });

  test('with deletionPolicy Retain the guest stays, without our mark', async () => {
    lab.apply(machine('free', { deletionPolicy: 'Retain' }));
    await lab.untilReady('free');
    expect(lab.guests('free')[0]?.config['description']).toContain('<!-- pvr:');
    lab.remove('free');
    await lab.untilGone('machines', 'free');
    expect(lab.guests('free')).toHaveLength(1);
    expect(lab.guests('free')[0]?.config['description'] ?? '').not.toContain('<!-- pvr:');
  });

  test('no secret stands in a status, an event or the log', () => {
    const said = [
      lab.kubernetes.done(['get', 'proxmox', '-A', '-o', 'yaml']),
      lab.kubernetes.done(['get', 'events', '-A', '-o', 'yaml']),
      JSON.stringify(daemon.lines),
    ].join('\n');
    expect(said).not.toContain('11111111-1111-4111-8111-111111111111');
    expect(said).not.toContain('stolen');
  });
});
