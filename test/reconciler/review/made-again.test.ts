import { reviewPlan } from '../../../reconciler/review/review-plan';
import { planOf, type PlanOptions } from '../../support/review/plan-document';

const ABSENT = { status: 'absent', effect: 'create', token: 'new' };

function notesOf(options: PlanOptions): { verdict: string; notes: string } | undefined {
  const plan = planOf({ web: ABSENT }, { held: { unread: 0, guests: [] }, ...options });
  const [web] = reviewPlan(plan, 'plan.json').machines;
  return web && { verdict: web.verdict, notes: web.notes.join(' ') };
}

test('one that was applied before and is not found: another cluster may have it', () => {
  expect(notesOf({})).toEqual({
    verdict: 'create',
    notes: expect.stringMatching(
      /^An apply of this state made it, .* PVE_ENDPOINT leads to another cluster, .* nothing manages it\.$/,
    ),
  });
});

test('one whose last apply failed may be missing, too, or was never made', () => {
  const plan = JSON.parse(planOf({ web: ABSENT }, { held: { unread: 0, guests: [] } }));
  for (const change of plan.resource_changes) change.action_reason = 'replace_because_tainted';
  const [web] = reviewPlan(JSON.stringify(plan), 'plan.json').machines;
  expect(web?.verdict).toBe('create');
  expect(web?.notes.join(' ')).toContain('made it, or began to and failed,');
});

test('one that is new to the state, or whose entry is replaced, is not said to be missing', () => {
  for (const actions of [['create'], ['delete', 'create']])
    expect(notesOf({ actions })?.notes).not.toContain('An apply of this state made it');
});
