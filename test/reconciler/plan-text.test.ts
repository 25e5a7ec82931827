import type { MachinePlan } from '../../reconciler/action';
import { planText } from '../../reconciler/report/plan-text';

const clone: MachinePlan = {
  machine: 'web',
  changes: [
    { field: 'machine', from: undefined, to: 'template ubuntu', effect: 'live' },
    { field: 'identity', from: undefined, to: '7f000000-0000-4000-8000-000000000001', effect: 'live' },
    { field: 'tags', from: undefined, to: 'pvr-abcdefghij;prod', effect: 'live' },
    { field: 'disks[root].size', from: '10Gi', to: '20Gi', effect: 'live' },
    { field: 'power', from: 'stopped', to: 'running', effect: 'live' },
  ],
  actions: [{ kind: 'clone', source: { node: 'pve1', vmid: 9000 }, node: 'pve1', vmid: 10000, params: {} }],
  refusals: [],
  waiting: [],
};

it('tells all that follows a clone, and nothing that we draw ourselves', () => {
  expect(planText([clone], 0)).toBe(
    [
      'web: would clone VM 9000 to VM 10000 on pve1, then write tags, then grow disks[root] to 20Gi, then start',
      '  machine: (none) -> template ubuntu',
      '  tags: (none) -> prod',
      '  disks[root].size: 10Gi -> 20Gi',
      '  power: stopped -> running',
      '1 to change, 0 in sync, 0 refused.',
    ].join('\n'),
  );
});

it('tells a field that is refused once', () => {
  const bridge = { field: 'networks[lan].bridge', from: 'vmbr0', to: 'vmbr9' };
  const changes: MachinePlan['changes'] = [
    { ...bridge, effect: 'refused' },
    { ...bridge, effect: 'live' },
  ];
  const refusals = [{ machine: 'web', why: 'bridge', detail: 'no.', remedy: 'Another.' }];
  const told = planText([{ ...clone, actions: [], changes, refusals }], 0);
  expect(told.split('\n').slice(0, 3)).toEqual([
    'web: refused',
    '  networks[lan].bridge: vmbr0 -> vmbr9 (refused)',
    '  ! no. Another.',
  ]);
});
