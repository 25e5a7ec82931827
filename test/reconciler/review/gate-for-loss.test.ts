import { failOnWords, failures } from '../../../reconciler/review/fail-on';
import { reviewMarkdown } from '../../../reconciler/review/markdown';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { differs, planOf, type PlanOptions } from '../../support/review/plan-document';

const NONE = { volumes: [], snapshots: [] };
const DRIVE = { slot: 'ide2', volume: 'a:vm-100-cloudinit', kind: 'cloud-init' };
const DISK = { slot: 'scsi1', volume: 'a:vm-100-disk-1', kind: 'disk' };
const guest = { machine: 'web', entry: 'entry-web', node: 'pve1', vmid: 100, disks: {}, losses: NONE };
const held = { unread: 0, guests: [guest] };

const losing = (losses: object): Record<string, string> =>
  differs('live', [], { losses: { ...NONE, ...losses } });
const gate = (text: string): string[] => failures(reviewPlan(text, 'plan.json'), failOnWords('loss'));

test.each<[string, Record<string, string>, PlanOptions]>([
  ['a machine is destroyed', {}, { actions: ['delete'] }],
  ['a machine is made anew', differs('rebuild', []), {}],
  ['the entry of a machine is replaced', {}, { actions: ['delete', 'create'] }],
  [
    'a machine goes back to a snapshot',
    differs('live', [], { snapshots: [{ does: 'revert', name: 'a' }] }),
    {},
  ],
  ['a disk leaves', losing({ volumes: [DISK] }), {}],
  ['a snapshot leaves', {}, { snapshots: { 'web.a': { entry: ['delete'] } } }],
  ['an old snapshot of its own is deleted', losing({ snapshots: [{ name: 'before-change-1' }] }), {}],
  ['a disk is formatted', losing({ data: ['what it may write over'] }), {}],
  ['an entry of the cluster goes', losing({ entries: ['HA rule a'] }), {}],
  ['a machine that stands is not known until apply', {}, { observer: 'late' }],
])('--fail-on loss stops where %s', (_, web, options) => {
  expect(gate(planOf({ web }, { held, ...options }))).toEqual(['loss (1)']);
});

test.each<[string, Record<string, string>, PlanOptions]>([
  ['nothing changes', {}, {}],
  ['a machine is changed, and restarts', differs('restart', [{ field: 'memory', effect: 'restart' }]), {}],
  ['only its cloud-init drive is made again', losing({ volumes: [DRIVE] }), {}],
  ['a snapshot is taken', {}, { snapshots: { 'web.a': { entry: ['create'], does: 'take' } } }],
  ['a machine is let go', {}, { actions: ['forget'] }],
  ['a new machine is not known until apply', {}, { observer: 'late', actions: ['create'] }],
])('--fail-on loss lets pass where %s', (_, web, options) => {
  expect(gate(planOf({ web }, { held, ...options }))).toEqual([]);
});

test.each([
  [['no-op'], ['loss (1)']],
  [['create'], []],
])(
  '--fail-on loss and a machine whose own observer is late, and that the shared one tells nothing of: %j',
  (actions, stops) => {
    interface Plan {
      resource_changes: object[];
    }
    const none = { unread: 0, guests: [] };
    const plan = JSON.parse(
      planOf({ web: {} }, { held: none, entries: { web: actions }, complete: true }),
    ) as Plan;
    const label = { mode: 'data', type: 'external', name: 'observe_lab_web' };
    const query = { protocol: '1', owner: 'o', cluster: '{"name":"lab"}' };
    const change = { actions: ['read'], before: null, after: { query } };
    const late = { ...label, address: 'data.external.observe_lab_web', change };
    const text = JSON.stringify({ ...plan, resource_changes: [late, ...plan.resource_changes] });
    expect(reviewPlan(text, 'plan.json').machines).toMatchObject([{ id: 'web', verdict: 'unknown' }]);
    expect(gate(text)).toEqual(stops);
  },
);

test('--fail-on loss does not count a machine that the apply does not come to', () => {
  const db = { ...guest, machine: 'db', entry: 'entry-db', vmid: 101, stays: 'it is protected.' };
  const text = planOf(
    { web: { status: 'unknown' }, db: {} },
    { held: { unread: 0, guests: [guest, db] }, entries: { db: ['delete'] } },
  );
  const { machines } = reviewPlan(text, 'plan.json');
  expect(machines.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['db', 'refused'],
    ['web', 'unreached'],
  ]);
  expect(gate(text)).toEqual([]);
});

test('a review tells what the apply of a machine that stands and is not known may do', () => {
  const review = reviewPlan(planOf({ web: {} }, { observer: 'late' }), 'plan.json');
  expect(reviewMarkdown(review)).toContain('refuses to make it anew');
  // docs/limits.md: Terraform reads nothing of such a call in the plan
  expect(reviewMarkdown(review)).toContain(
    'does not refuse where an earlier release wrote the stack, or the call',
  );
});
