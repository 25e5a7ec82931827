import { failOnWords, failures } from '../../../reconciler/review/fail-on';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { planOf } from '../../support/review/plan-document';

const REVISION = 'snapshot_lab_web_clean';

interface Plan {
  resource_changes: { name: string; address: string; change: { before: { triggers: { token: string } } } }[];
  prior_state: { values: { root_module: { resources: object[] } } };
}

/** What the gate says of a snapshot that leaves, whose last revision said keep. */
function gate(change: (revision: Plan['resource_changes'][number], plan: Plan) => void): string[] {
  const losses = { volumes: [], snapshots: [] };
  const guest = { machine: 'web', entry: 'entry-web', node: 'pve1', vmid: 100, disks: {}, losses };
  const held = { unread: 0, guests: [guest] };
  const snapshots = { 'web.clean': { entry: ['delete'], applied: { onDestroy: 'keep' } } };
  const plan = JSON.parse(planOf({ web: {} }, { held, snapshots })) as Plan;
  const revision = plan.resource_changes.find(({ name }) => name === REVISION);
  if (revision === undefined) throw new Error('the plan has no revision of the snapshot');
  change(revision, plan);
  return failures(reviewPlan(JSON.stringify(plan), 'plan.json'), failOnWords('lost-snapshot'));
}

test('keep that was applied stays', () => {
  expect(gate(() => undefined)).toEqual([]);
});

test.each(['paused', 'observed'])('keep that came while its machine was %s never reached Proxmox', token => {
  expect(gate(({ change }) => (change.before.triggers.token = token))).toEqual(['lost-snapshot (1)']);
});

test('nor did keep whose apply failed', () => {
  const taint = ({ address, name, change }: Plan['resource_changes'][number], plan: Plan): void => {
    const values = change.before;
    const resource = { address, mode: 'managed', type: 'null_resource', name, values, tainted: true };
    plan.prior_state.values.root_module.resources.push(resource);
  };
  expect(gate(taint)).toEqual(['lost-snapshot (1)']);
});
