import { commitOf } from '../../../reconciler/input/commit';
import { reviewHtml } from '../../../reconciler/review/page/page';
import { reviewMarkdown } from '../../../reconciler/review/markdown';
import { reviewFolder } from '../../../reconciler/review/review-folder';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { reviewText } from '../../../reconciler/review/text';
import { differs, planFixture, planOf } from '../../support/review/plan-document';

const at = (timestamp: string, text: string) =>
  reviewPlan(JSON.stringify({ ...(JSON.parse(text) as object), timestamp }), 'plan.json');
const heads = (html: string) => [...html.matchAll(/<h[1-3][^>]*>(.*?)<\/h/g)].map(([, text]) => text);

describe('the commit of a review', () => {
  const [sha, other] = ['0a1b2c3d4e5f60718293a4b5c6d7e8f901234567', 'fedcba9'];
  test('is the one that is given, or the one of the CI; none without', () => {
    expect(commitOf(other, { GITHUB_SHA: sha })).toBe(other);
    expect(commitOf(undefined, { GITHUB_SHA: sha })).toBe(sha);
    expect(commitOf(undefined, { CI_COMMIT_SHA: sha })).toBe(sha);
    expect(commitOf(undefined, { CI_COMMIT_SHA: '' })).toBeUndefined();
  });
  test('is an id', () =>
    expect(() => commitOf('main', {})).toThrow('--commit main is no commit: give its id'));
});

describe('the head says what the review is of', () => {
  test('stack, workspace, cluster, the time of the plan and the commit', () => {
    const made = at('2026-11-22T08:30:17Z', planFixture('create'));
    const review = { ...made, about: { ...made.about, commit: 'abc1234' } };
    expect(heads(reviewHtml(review))[0]).toBe(
      'Stack demo, workspace default: what this plan does to machines',
    );
    expect(reviewHtml(review)).toContain('Cluster lab · planned 2026-11-22 08:30 UTC · commit abc1234');
    expect(reviewMarkdown(review)).toContain('Cluster lab · planned 2026-11-22 08:30 UTC · commit abc1234');
  });

  test('of machines that leave, too; an owner that the code chose stands as it is', () => {
    expect(heads(reviewHtml(reviewPlan(planFixture('destroy'), 'plan.json')))[0]).toContain('Owner other:');
    expect(heads(reviewHtml(reviewPlan(planOf({ web: {} }), 'plan.json')))[0]).toBe(
      'Owner o: what this plan does to machines',
    );
  });

  test('a folder has no plan, and no time of one', () => {
    const json = { version: 1, owner: 'web/lab/prod', cluster: { name: 'lab' }, machines: [{ id: 'a' }] };
    const html = reviewHtml(reviewFolder([{ name: 'lab.json', json }]));
    expect(heads(html)[0]).toBe('Stack web, workspace prod: what this stack wants');
    expect(html).toContain('<p class="soft">Cluster lab</p>');
  });
});

const GIB = 1024 ** 3;
const guest = (machine: string, disks: object) => ({
  ...{ machine, entry: `entry-${machine}`, node: 'pve2', vmid: 101, disks },
});
const gone = reviewPlan(
  planOf(
    { web: {}, db: {} },
    {
      actions: ['delete'],
      held: { guests: [guest('web', { root: 10 * GIB, data: 1.5 * GIB }), guest('db', {})], unread: 0 },
    },
  ),
  'plan.json',
);

test('every form tells the disks of a machine that is destroyed, and the sum', () => {
  for (const form of [reviewText, reviewMarkdown, reviewHtml]) {
    expect(form(gone)).toContain('It goes with its disks (root 10Gi, data 1536Mi).');
    expect(form(gone)).toContain('Lost: 11.5 GiB of disks, 2 volumes.');
  }
});

test('what is destroyed or made anew stands first, and is marked', () => {
  const html = reviewHtml(
    reviewPlan(
      planOf({
        grown: differs('live', [{ field: 'memory', from: '1Gi', to: '2Gi', effect: 'live' }]),
        anew: differs('rebuild', [{ field: 'bios', from: 'seabios', to: 'ovmf', effect: 'rebuild' }]),
        stubborn: { status: 'refused', effect: 'refused', refusal: 'no' },
      }),
      'plan.json',
    ),
  );
  expect(heads(html).slice(1)).toEqual(
    expect.arrayContaining(['Destroyed or made anew', 'anew', 'Other machines', 'stubborn', 'grown']),
  );
  expect(html.indexOf('Destroyed or made anew')).toBeLessThan(html.indexOf('Other machines'));
  expect(html.match(/class="card heavy" data-verdict="(\w+)"/g)).toEqual([
    'class="card heavy" data-verdict="rebuild"',
  ]);
});
