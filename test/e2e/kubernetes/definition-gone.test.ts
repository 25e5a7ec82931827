import {
  conditionOf,
  kubernetesLab,
  machine,
  type KubernetesLab,
  type Shown,
} from '../../support/kubernetes/kubernetes-lab';
import { crds } from '../../../reconciler/kubernetes/crds/crds';
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

  const DEFINITION = 'machines.vitistack.io';
  const merged = (kind: string, name: string, patch: object): void =>
    void lab.kubernetes.done([
      ...['patch', kind, name, '-n', 'team-a', '--type=merge', '-p', JSON.stringify(patch)],
    ]);
  /** By force, as people free a definition that does not go. The resources stay in the store of Kubernetes. */
  const removeDefinition = (): void => {
    lab.kubernetes.done(['delete', 'crd', DEFINITION, '--wait=false']);
    merged('crd', DEFINITION, { metadata: { finalizers: [] } });
  };
  const bringDefinition = (): void => {
    lab.kubernetes.done(['apply', '--server-side', '-f', '-'], [...crds().values()].join('---\n'));
    lab.kubernetes.done(['wait', '--for=condition=Established', 'crd', DEFINITION, '--timeout=60s']);
  };

  test('a machine that was deleted with its definition is not destroyed when the definition is back', async () => {
    // the daemon asks for a definition that was not there after 30 s only
    await lab.stopAll();
    lab.kubernetes.done(['wait', '--for=delete', `crd/${DEFINITION}`, '--timeout=30s']);
    bringDefinition();
    lab.start();
    lab.apply(machine('back'));
    await lab.untilReady('back');
    lab.kubernetes.done(['delete', 'crd', DEFINITION, '--wait=false']);
    await lab.untilIs('machines', 'back', ({ metadata }) => metadata.deletionTimestamp !== undefined);
    removeDefinition();
    await lab.stopAll();
    lab.simulator.ledger.reset();
    bringDefinition();
    lab.start();
    const isTold = (each: Shown): boolean =>
      conditionOf(each)?.message.includes('with an earlier definition') === true;
    const seen = await lab.untilIs('machines', 'back', isTold);
    expect(conditionOf(seen)).toMatchObject({ reason: 'DeletionRefused' });
    expect(await lab.events('back')).toContainEqual(
      expect.objectContaining({ type: 'Warning', message: conditionOf(seen)?.message }),
    );
    expect(lab.writes()).toEqual([]);
    // the way out that the condition names
    merged('machine', 'back', { metadata: { finalizers: null } });
    await lab.untilGone('machines', 'back');
    lab.apply(machine('back'));
    expect((await lab.untilReady('back')).status?.vmid).toBe(lab.guests('back')[0]?.vmid);
    expect(lab.guests('back')).toHaveLength(1);
    lab.remove('back');
    await lab.untilGone('machines', 'back');
    expect(lab.guests('back')).toEqual([]);
  });
});
