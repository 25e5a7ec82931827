import { failOnWords, failures } from '../../../reconciler/review/fail-on';
import { reviewMarkdown } from '../../../reconciler/review/markdown';
import { reviewHtml } from '../../../reconciler/review/page/page';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { reviewText } from '../../../reconciler/review/text';
import { planFixture, planOf } from '../../support/review/plan-document';

interface Plan {
  checks?: unknown;
  resource_changes: { address: string; change: { actions: string[] } }[];
  prior_state: { values: { root_module: { resources: { name: string; values: { result: object } }[] } } };
}
const review = (plan: string | object) =>
  reviewPlan(typeof plan === 'string' ? plan : JSON.stringify(plan), 'plan.json');
const verdicts = (plan: string | object) =>
  Object.fromEntries(review(plan).machines.map(({ id, verdict }) => [id, verdict]));
const fixture = (name: string): Plan => JSON.parse(planFixture(name)) as Plan;

describe('a plan that failed before Proxmox was asked', () => {
  test.each([
    ['not-asked', { web: 'unread', db: 'destroy', old: 'destroy' }],
    ['module-not-asked', { web: 'unread', db: 'unread' }],
  ])('tells nothing of what an earlier one read: %s', (name, want) => {
    expect(verdicts(planFixture(name))).toEqual(want);
    const { machines } = review(planFixture(name));
    for (const { does, changes, vmid, before, disks, losses } of machines)
      expect({ does, changes, vmid, before, disks, losses }).toMatchObject({ does: [], changes: [] });
    expect(machines.find(({ id }) => id === 'web')).toMatchObject({
      ...{ vmid: undefined, before: undefined, disks: undefined, losses: undefined },
    });
  });

  test('says so in each form, and counts no machine as unchanged', () => {
    const made = review(planFixture('not-asked'));
    expect(made.totals).toEqual({ destroy: 2, unread: 1 });
    const says = 'Proxmox was not asked about it';
    expect(reviewText(made)).toContain(`? web: not read\n    ${says}`);
    expect(reviewText(made)).toContain('2 destroy, 1 not read.');
    expect(reviewText(made)).not.toMatch(/unchanged/);
    expect(reviewMarkdown(made)).toContain('| **web** | not read |');
    expect(reviewMarkdown(made)).toContain(says);
    expect(reviewHtml(made)).toContain('<span class="badge unread">not read</span>');
    expect(reviewHtml(made)).toContain(says);
    expect(JSON.stringify(made)).toContain('"verdict":"unread"');
  });

  test('does not know the disks of a machine that leaves, whatever was read of it', () => {
    const plan = fixture('not-asked');
    const [observer] = plan.prior_state.values.root_module.resources.filter(
      ({ name }) => name === 'observe_lab',
    );
    const guests = [
      { machine: 'db', node: 'pve1', vmid: 100, disks: { scsi0: 1 }, stays: 'it is protected.' },
    ];
    observer!.values.result = { ...observer!.values.result, guests: JSON.stringify({ guests, unread: 0 }) };
    const made = review(plan);
    expect(made.machines.find(({ id }) => id === 'db')).toMatchObject({
      verdict: 'destroy',
      disks: undefined,
    });
    expect(made.lost).toMatchObject({ bytes: 0, unknown: 2 });
    expect(reviewText(made)).toContain('nothing in it proves that Proxmox was asked');
  });

  test.each(['loss', 'waits', 'restart', 'create', 'revert'])('stops a gate: %s', word => {
    expect(failures(review(planFixture('module-not-asked')), failOnWords(word))).toContain('unread (2)');
  });

  test('stops no gate that nobody asked for', () => {
    expect(failures(review(planFixture('module-not-asked')), failOnWords(undefined))).toEqual([]);
  });

  test('on the very first run, too', () => {
    const plan = fixture('module-not-asked');
    const entries = plan.resource_changes.map(one => ({ ...one, change: { actions: ['create'] } }));
    const first = { ...plan, prior_state: undefined, resource_changes: entries };
    expect(verdicts(first)).toEqual({ web: 'unread', db: 'unread' });
  });
});

describe('a plan that failed and has read', () => {
  const failed = (more: object, keep: (address: string) => boolean): object => {
    const plan = JSON.parse(planOf({ web: {}, db: {} })) as Plan;
    const left = plan.resource_changes.filter(({ address }) => keep(address));
    return { ...plan, errored: true, complete: false, resource_changes: left, ...more };
  };
  const entries = (address: string): boolean => address.includes('machines_lab');
  const decided = (kind: string, name: string, status: string): object => {
    const address = { kind, name, ...(kind === 'resource' && { type: 'null_resource' }) };
    return { checks: [{ address, status, instances: [{ address: {}, status }] }] };
  };

  test.each([
    ['a revision is planned', failed({}, address => !address.endsWith('_db'))],
    ['a precondition failed', failed(decided('resource', 'machine_lab_db', 'fail'), entries)],
    ['a precondition passed', failed(decided('resource', 'machine_lab_db', 'pass'), entries)],
    ['the check of the observer passed', failed(decided('check', 'observe_lab', 'pass'), entries)],
  ])('tells what it read: %s', (_, plan) => {
    expect(verdicts(plan)).toEqual({ web: 'unchanged', db: 'unchanged' });
  });

  test.each([
    ['nothing tells', failed({}, entries)],
    ['a condition is not decided', failed(decided('resource', 'machine_lab_db', 'unknown'), entries)],
    ['another check passed', failed(decided('check', 'observe_other', 'pass'), entries)],
    ['the checks are of a later form', failed({ checks: { any: 'form' } }, entries)],
  ])('and does not prove that tells nothing: %s', (_, plan) => {
    expect(verdicts(plan)).toEqual({ web: 'unread', db: 'unread' });
  });

  test('a revision that leaves proves nothing', () => {
    const plan = failed({}, () => true) as Plan;
    const leaves = plan.resource_changes.map(one =>
      entries(one.address) ? one : { ...one, change: { ...one.change, actions: ['delete'] } },
    );
    expect(verdicts({ ...plan, resource_changes: leaves })).toEqual({ web: 'unread', db: 'unread' });
  });

  test('by the observer of one machine alone, knows no other', () => {
    const plan = failed(decided('resource', 'machine_lab_db', 'pass'), entries) as Plan;
    const observers = ['data.external.observe_lab', 'data.external.observe_lab_db'];
    const { resources } = plan.prior_state.values.root_module;
    const own = { ...resources[0]!, name: 'observe_lab_db', address: observers[1] };
    const configuration = { root_module: { resources: observers.map(address => ({ address })) } };
    const prior_state = { values: { root_module: { resources: [own, ...resources] } } };
    expect(verdicts({ ...plan, configuration, prior_state })).toEqual({ web: 'unread', db: 'unchanged' });
  });
});
