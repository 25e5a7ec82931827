import { matchedOf } from '../../../reconciler/kubernetes/matched';
import { judgedWhole, lab, machine } from '../../support/kubernetes/judged';

const OLD = { finalizers: ['pve-reconciler/guest'], annotations: { 'pve-reconciler/cluster': 'lab' } };
const NOT_HELD = machine('not-held', { cluster: 'lab' });
const BAD = machine('bad', { cluster: 'lab', cpu: { cores: 0 } });

test('a machine that is not worked on is asked for all the same: its guest is no orphan', async () => {
  const resources = [
    ...[lab(), lab('other'), machine('old', { cluster: 'lab' }, OLD), NOT_HELD, BAD],
    machine('worked', { cluster: 'lab' }),
    machine('of-files', { cluster: 'lab', formerIds: ['before'] }),
    machine('nowhere', { memory: 'much' }),
  ];
  const { judged, plan } = await judgedWhole(...resources);
  const working = plan.working.filter(({ resource }) => resource.name === 'worked');
  expect(working).toHaveLength(1);
  const given = { plan, judged, working, owner: 'manifests', source: 'kubernetes:a', bySpec: new WeakMap() };
  const { also } = matchedOf(resources, given);
  const asked = (cluster: string) =>
    (also.get(cluster) ?? []).map(({ owner, machines }) =>
      [owner, ...machines.map(({ id }) => id)].join(' '),
    );
  const names = ['old', 'not-held', 'bad', 'of-files', 'nowhere'];
  expect(asked('lab')).toEqual(names.map(name => `manifests/lab/team-a ${name}`));
  expect(asked('other')).toEqual(['manifests/other/team-a nowhere']);
  expect(also.get('lab')?.[3]?.machines[0]?.formerIds).toEqual(['before']);
});
