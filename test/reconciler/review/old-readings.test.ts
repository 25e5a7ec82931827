import { failOnWords, failures } from '../../../reconciler/review/fail-on';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { planOf, type PlanOptions } from '../../support/review/plan-document';

const LOST_VOLUME = failOnWords('lost-volume');
const GONE: PlanOptions = { actions: ['delete'], held: { unread: 0, guests: [] } };

/** What a plan loses of machine web, whose guest the reading that the plan holds has not found. */
function lost(web: Record<string, string>, options: PlanOptions, isAsked: boolean): string[] {
  const text = planOf({ web }, { ...GONE, ...options });
  const asked = text.replace('"protocol":"1"', '"protocol":"1","spec.web":"{}"');
  return failures(reviewPlan(isAsked ? asked : text, 'plan.json'), LOST_VOLUME);
}

const UNKNOWN = ['lost-volume (1)'];
const APPLIED = { status: 'absent', token: 't' };
const LATER = { status: 'absent', token: 'of a later look' };

test('a reading that the last apply went by proves no guest absent: -destroy with -refresh=false', () => {
  expect(lost(APPLIED, { complete: true }, true)).toEqual(UNKNOWN);
  expect(lost(LATER, { complete: true }, true)).toEqual([]);
});

describe('a plan that does not tell whether it is whole, as one of OpenTofu', () => {
  // planOf leaves out the entry too: here only the revision is left out, as -target of an entry does
  const withoutRevision = (isAsked: boolean, complete?: boolean): string[] => {
    const plan = JSON.parse(planOf({ web: LATER }, { ...GONE, ...(complete && { complete }) })) as {
      resource_changes: { name: string }[];
    };
    const left = plan.resource_changes.filter(({ name }) => name !== 'machine_lab_web');
    const text = JSON.stringify({ ...plan, resource_changes: left });
    const asked = text.replace('"protocol":"1"', '"protocol":"1","spec.web":"{}"');
    return failures(reviewPlan(isAsked ? asked : text, 'plan.json'), LOST_VOLUME);
  };

  test('is taken for partial where it leaves out the revision of a machine that was looked at', () => {
    expect(withoutRevision(true)).toEqual(UNKNOWN);
    expect(withoutRevision(true, true)).toEqual([]);
  });

  test('is taken for whole where the code did not ask for the machine any more, or the look is a new one', () => {
    expect(withoutRevision(false)).toEqual([]);
    expect(lost(LATER, {}, true)).toEqual([]);
    expect(lost(APPLIED, {}, true)).toEqual(UNKNOWN);
  });
});
