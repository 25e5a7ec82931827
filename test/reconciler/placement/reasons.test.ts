import { placeFor } from '../../../reconciler/placement/placement';
import {
  GiB,
  listed,
  node,
  resident,
  site,
  storage,
  wanted,
  type Fields,
} from '../../support/reconciler/placement-site';

const two = [node('pve1'), node('pve2')];
const soft = { antiAffinity: [{ key: 'app', operator: 'Exists' as const, mode: 'soft' as const }] };
const near = { affinity: soft.antiAffinity };
const template = listed(9000, 'pve1', { template: true });
const config = { scsi0: 'local:base-9000-disk-0' };

const WHY: [string, Fields, ReturnType<typeof site>, string][] = [
  ['is not the one that it names', { node: 'pve1' }, site(two), 'the machine names pve1'],
  ['is not preferred', {}, site(two, { preferred: ['pve1'] }), 'PVE_NODE_SELECTOR names pve1'],
  [
    'has guests that it avoids',
    { placement: soft },
    site(two, { residents: [resident({ labels: { app: 'x' } }, 'pve2')] }),
    'antiAffinity avoids 1 guest there, and 0 on pve1',
  ],
  [
    'has fewer of those that it prefers',
    { placement: near },
    site(two, { residents: [resident({ labels: { app: 'x' }, memory: '1Gi' }, 'pve1')] }),
    'affinity prefers most of its guests: 0 there, and 1 on pve1',
  ],
  [
    'is fuller',
    {},
    site(two, { guests: [listed(100, 'pve2')] }),
    'strategy spread: 15Gi of its memory are promised to no guest, on pve1 16Gi',
  ],
  [
    'is emptier, to pack',
    { placement: { strategy: 'pack' } },
    site(two, { guests: [listed(100, 'pve1')] }),
    'strategy pack: 16Gi of its memory are promised to no guest, on pve1 15Gi',
  ],
  ['has a later name', {}, site(two), 'it can take it as well as pve1, which comes first by name'],
  ['cannot', {}, site([node('pve1'), node('pve2', { online: false })]), 'offline'],
];

it.each(WHY)('says why a node is not taken that %s', (_, fields, facts, reason) => {
  const choice = placeFor(wanted(fields), { guests: [] }, facts);
  if ('why' in choice) throw new Error(choice.detail);
  const [taken, other] = choice.reasons();
  expect(taken).toMatchObject({ node: 'pve1', taken: true });
  expect(other).toEqual({ node: 'pve2', taken: false, reason });
});

it('says that a clone would have to move', () => {
  const nodes = ['pve1', 'pve2'].map(name => node(name, { memory: 8 * GiB, storages: [storage('local')] }));
  const facts = site(nodes, { guests: [listed(100, 'pve1')] });
  const choice = placeFor(wanted({ image: { template: 'debian' } }), { guests: [template], config }, facts);
  if ('why' in choice) throw new Error(choice.detail);
  expect(choice.reasons()[1]).toEqual({
    node: 'pve2',
    taken: false,
    reason: 'the clone would have to move there; on pve1 it need not',
  });
});
