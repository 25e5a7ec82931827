import {
  conditionOf,
  kubernetesLab,
  machine,
  type KubernetesLab,
} from '../../support/kubernetes/kubernetes-lab';
import { TOKEN } from '../../support/cluster/start-cluster';
import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';

describeKubernetes('a definition that is deleted in Kubernetes', () => {
  let lab: KubernetesLab;
  beforeAll(async () => {
    lab = await kubernetesLab();
    lab.applyCluster();
    lab.start();
  });
  afterAll(() => lab?.close());

  test('a guest that the credentials do not see is not taken for gone; one that is gone is', async () => {
    lab.apply(machine('hidden'), machine('gone'));
    for (const name of ['hidden', 'gone']) await lab.untilReady(name);
    const { users, acl, roles } = lab.simulator.world.access;
    const token = users['root@pam']?.tokens['full'];
    if (token === undefined) throw new Error('there is no token');
    roles['narrow'] = ['Sys.Audit', 'VM.Audit'];
    const at = { type: 'token', ugid: TOKEN.id, roleid: 'narrow', propagate: false } as const;
    acl.push({ ...at, path: '/' }, { ...at, path: '/nodes', propagate: true });
    token.privsep = true;
    lab.remove('hidden');
    const hidden = await lab.untilIs(
      'machines',
      'hidden',
      seen => conditionOf(seen)?.reason === 'DeletionRefused',
    );
    expect(conditionOf(hidden)?.message).toContain('may not see all guests');
    token.privsep = false;
    await lab.untilGone('machines', 'hidden');
    expect(lab.guests('hidden')).toEqual([]);
    const [gone] = lab.guests('gone');
    delete lab.simulator.world.guests[Number(gone?.vmid)];
    lab.remove('gone');
    await lab.untilGone('machines', 'gone');
  });

  test('a definition that is deleted destroys no guest; without the finalizers it goes', async () => {
    lab.apply(machine('web'));
    await lab.untilReady('web');
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
});
