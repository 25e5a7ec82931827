import {
  conditionOf,
  kubernetesLab,
  machine,
  type KubernetesLab,
} from '../../support/kubernetes/kubernetes-lab';
import { withoutVerb } from '../../support/kubernetes/role-without';
import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';

describeKubernetes('the rights of the daemon in Kubernetes', () => {
  let lab: KubernetesLab;
  beforeAll(async () => {
    lab = await kubernetesLab();
    lab.applyCluster();
  });
  afterEach(async () => {
    await lab.stopAll();
    lab.applyRights();
  });
  afterAll(() => lab?.close());

  const without = (resource: string, verb: string): void =>
    void withoutVerb(lab.kubernetes, ['clusterrole', 'pve-reconciler'], resource, verb);

  test('all that it asks for it may do', async () => {
    lab.start();
    lab.apply(machine('whole'));
    await lab.untilIs('machines', 'whole', seen => seen.status?.phase === 'Running');
    lab.remove('whole');
    await lab.untilGone('machines', 'whole');
    expect(lab.kubernetes.requests().filter(({ code }) => code === 403)).toEqual([]);
  });

  test('without patch nothing is made, and the condition names the verb', async () => {
    without('machines', 'patch');
    lab.start();
    lab.apply(machine('unheld'));
    const { metadata, ...unheld } = await lab.untilIs(
      'machines',
      'unheld',
      seen => conditionOf(seen) !== undefined,
    );
    expect(conditionOf({ metadata, ...unheld })).toMatchObject({
      reason: 'NotHeld',
      message: expect.stringContaining(
        "Give the daemon's role the verb patch on machines.vitistack.io.",
      ) as string,
    });
    expect(metadata.finalizers).toBeUndefined();
    expect(lab.guests('unheld')).toEqual([]);
    lab.applyRights();
    await lab.untilIs('machines', 'unheld', seen => seen.status?.phase === 'Running');
  });

  test('without patch a deleted machine keeps its guest, and goes once it is there again', async () => {
    lab.start();
    lab.apply(machine('stuck'));
    await lab.untilReady('stuck');
    without('machines', 'patch');
    lab.simulator.ledger.reset();
    lab.remove('stuck');
    const seen = await lab.untilIs(
      'machines',
      'stuck',
      each => conditionOf(each)?.reason === 'DeletionRefused',
    );
    expect(conditionOf(seen)?.message).toMatch(
      /^Nothing is done to its guest: .* Give the daemon's role the verb patch on machines\.vitistack\.io\.$/,
    );
    expect(lab.writes()).toEqual([]);
    lab.applyRights();
    await lab.untilGone('machines', 'stuck');
    expect(lab.guests('stuck')).toEqual([]);
  });

  test('without get on Secrets the cluster names the verb and the namespace', async () => {
    lab.kubernetes.done(['delete', 'rolebinding', 'pve-reconciler-secrets', '-n', 'team-a']);
    lab.start();
    const cluster = await lab.untilIs(
      'proxmoxclusters',
      'lab',
      seen => conditionOf(seen)?.reason === 'InvalidSpec',
    );
    expect(conditionOf(cluster)?.message).toContain('the verb get on secrets in namespace team-a');
    lab.bindSecrets('team-a');
    await lab.untilIs('proxmoxclusters', 'lab', seen => conditionOf(seen)?.status === 'True');
  });

  test('without list it ends, and names the verb', async () => {
    without('vmclasses', 'list');
    await expect(lab.start().ended).rejects.toThrow(
      /verbs get, list and watch on vmclasses\.infra\.virtrigaud\.io/,
    );
  });

  test('without get on the namespace that tells it from others it ends; with a name it needs none', async () => {
    without('namespaces', 'get');
    await expect(lab.start().ended).rejects.toThrow(
      /the role lacks get on the namespace kube-system.*--source/,
    );
    lab.start({ source: 'lab-one' });
    lab.apply(machine('named'));
    await lab.untilIs('machines', 'named', seen => seen.status?.phase === 'Running');
    expect(lab.guests('named')[0]?.config['description']).toContain('kubernetes:lab-one');
  });

  test('without update of the status, and without events, machines are made, and the log names the verb', async () => {
    without('machines/status', 'update');
    without('events', 'create');
    const daemon = lab.start();
    lab.apply(machine('untold'));
    await lab.untilIs('machines', 'untold', seen => seen.metadata.finalizers !== undefined);
    await lab.untilTrue(() => lab.guests('untold').length === 1);
    const said = () => daemon.lines.map(({ message }) => message).join('\n');
    await lab.untilTrue(
      () => said().includes('the verb update on machines/status') && said().includes('on events'),
    );
  });
});
