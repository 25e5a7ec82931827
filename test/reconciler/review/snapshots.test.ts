import { failOnWords, failures } from '../../../reconciler/review/fail-on';
import { reviewMarkdown } from '../../../reconciler/review/markdown';
import { reviewHtml } from '../../../reconciler/review/page/page';
import type { Review } from '../../../reconciler/review/review';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { reviewText } from '../../../reconciler/review/text';
import { differs, planOf, type PlannedSnapshot, type PlanOptions } from '../../support/review/plan-document';

const GONE = ['delete'];
const WORDS = failOnWords('revert,lost-snapshot,change');

const holding = (...names: string[]): object => ({
  unread: 0,
  guests: [
    {
      ...{ machine: 'web', entry: 'entry-web', node: 'pve1', vmid: 100, disks: {} },
      losses: { volumes: [], snapshots: names.map(name => ({ name })) },
    },
  ],
});

const reviewed = (
  snapshots: Record<string, PlannedSnapshot>,
  web: Record<string, string> = {},
  options: PlanOptions = {},
): Review => reviewPlan(planOf({ web }, { snapshots, held: holding('clean'), ...options }), 'plan.json');

/** Every form of a review as one text each; the signs that Markdown needs around a name are left out. */
const formsOf = (review: Review): string[] => [
  reviewText(review),
  reviewMarkdown(review).replace(/\\(?=\W|_)/g, ''),
  reviewHtml(review),
  JSON.stringify(review),
];

const taken: PlannedSnapshot = { entry: ['create'], does: 'take', wanted: { includeMemory: true } };

test('one that leaves the program is deleted: told first, lost for good, in all forms', () => {
  const web = differs('live', [{ field: 'tags', from: 'a', to: 'b', effect: 'live' }]);
  const review = reviewed({ 'web.clean': { entry: GONE }, 'web.next': taken }, web);
  expect(review.machines[0]).toMatchObject({
    verdict: 'change',
    does: ['deleting snapshot clean', 'writing', 'taking snapshot next with its memory'],
    losses: { volumes: [], snapshots: [{ name: 'clean' }] },
    snapshots: [
      { does: 'delete', name: 'clean' },
      { does: 'take', name: 'next', memory: true },
    ],
  });
  for (const form of formsOf(review)) {
    expect(form).toContain('deleting snapshot clean');
    expect(form).toContain('taking snapshot next with its memory');
  }
  for (const form of formsOf(review).slice(0, 3)) {
    expect(form).toContain('Lost for good: snapshot clean.');
    expect(form).toContain('Lost: 1 snapshot.');
  }
  expect(failures(review, WORDS)).toEqual(['lost-snapshot (1)', 'change (1)']);
});

test.each<[string, PlannedSnapshot, PlanOptions]>([
  ['it is kept', { entry: GONE, applied: { onDestroy: 'keep' } }, {}],
  ['Terraform forgets it', { entry: ['forget'] }, {}],
  ['nothing says how to delete it', { entry: GONE }, { written: 'removed' }],
  ['only its words change', { entry: ['no-op'], revision: ['delete', 'create'], wanted: {} }, {}],
  ['nothing happens to it', { entry: ['no-op'], wanted: {} }, {}],
])('nothing is deleted and nothing is taken where %s', (_, snapshot, options) => {
  const [web] = reviewed({ 'web.clean': snapshot }, {}, options).machines;
  expect(web).toMatchObject({ snapshots: [], does: [], losses: undefined });
  expect(web?.verdict).toBe(options.written === 'removed' ? web?.verdict : 'unchanged');
});

// a plan with -target or -refresh=false holds what was read before the last apply, which has taken the snapshot
test.each<[string, PlanOptions]>([
  ['its machine was seen without it', { held: holding() }],
  ['its machine was not seen', { held: { unread: 0, guests: [] } }],
  ['nobody looked', { observer: 'none' }],
  ['the plan leaves its machine out', { held: { unread: 0, guests: [] }, without: ['web'] }],
])('one whose entry the plan deletes is lost, whatever was observed: %s', (_, options) => {
  const review = reviewed({ 'web.clean': { entry: GONE } }, {}, options);
  expect(review.machines[0]).toMatchObject({
    does: ['deleting snapshot clean'],
    snapshots: [{ does: 'delete', name: 'clean' }],
  });
  expect(failures(review, failOnWords('lost-snapshot'))).toEqual(['lost-snapshot (1)']);
  for (const form of formsOf(review))
    expect(form).toContain('clean: not seen when Proxmox was last looked at');
});

test('one of a machine that goes, too, counts where nobody has seen the machine', () => {
  const unseen = { held: { unread: 0, guests: [] }, actions: GONE };
  const review = reviewed({ 'web.clean': { entry: GONE } }, {}, unseen);
  expect(review.machines[0]).toMatchObject({ verdict: 'destroy' });
  expect(review.lost).toMatchObject({ unknown: 0, snapshots: 0 });
  const partial = reviewed({ 'web.clean': { entry: GONE } }, {}, { ...unseen, complete: false });
  expect(failures(partial, failOnWords('lost-volume,lost-snapshot'))).toEqual([
    ...['lost-volume (1)', 'lost-snapshot (1)'],
  ]);
  expect(reviewText(partial)).toContain('may be from before its last apply');
});

test('one that is left of a machine that the state holds no more, is told of', () => {
  const review = reviewPlan(
    planOf({}, { snapshots: { 'web.clean': { entry: GONE } }, held: holding() }),
    'plan.json',
  );
  expect(review.machines).toMatchObject([{ id: 'web', does: ['deleting snapshot clean'] }]);
  expect(failures(review, WORDS)).toEqual(['lost-snapshot (1)', 'change (1)']);
});

test('a machine that stays as it is, is a change where only a snapshot of it is touched', () => {
  const deleted = reviewed({ 'web.clean': { entry: GONE } });
  expect(deleted.machines[0]).toMatchObject({ verdict: 'change', does: ['deleting snapshot clean'] });
  expect(failures(deleted, WORDS)).toEqual(['lost-snapshot (1)', 'change (1)']);
  const again = { entry: ['no-op'], revision: ['delete', 'create'], does: 'take', wanted: {} };
  expect(reviewed({ 'web.clean': again }).machines[0]).toMatchObject({
    ...{ verdict: 'change', does: ['taking snapshot clean'], losses: undefined },
  });
});

test('an entry that is replaced deletes its snapshot and takes another', () => {
  const replaced = { entry: ['delete', 'create'], wanted: {} };
  expect(reviewed({ 'web.clean': replaced }).machines[0]).toMatchObject({
    does: ['deleting snapshot clean', 'taking snapshot clean'],
    losses: { snapshots: [{ name: 'clean' }] },
  });
});

test('one that goes with its machine is counted once', () => {
  const review = reviewed({ 'web.clean': { entry: GONE } }, {}, { actions: GONE });
  expect(review.machines[0]).toMatchObject({ verdict: 'destroy', does: [] });
  expect(review.lost).toMatchObject({ snapshots: 1 });
});

test('an apply that is refused takes none, and has deleted what left by then', () => {
  const parts = { 'web.clean': { entry: GONE }, 'web.next': taken };
  const refused = reviewed(parts, { status: 'refused', effect: 'refused', refusal: 'no' });
  expect(refused.machines[0]).toMatchObject({ verdict: 'refused', does: ['deleting snapshot clean'] });
  expect(failures(refused, WORDS)).toEqual(['lost-snapshot (1)']);
});

test('going back to a snapshot is told with what it costs, and --fail-on revert stops it', () => {
  const back = { field: 'revertTo', to: 'clean', effect: 'restart' };
  const review = reviewed(
    {},
    differs('restart', [back], {
      does: ['going back to snapshot clean (what its disks hold since is lost)'],
      snapshots: [{ does: 'revert', name: 'clean' }],
    }),
  );
  expect(failures(review, WORDS)).toEqual(['revert (1)']);
  for (const form of formsOf(review)) expect(form).toContain('going back to snapshot clean');
  expect(reviewText(review)).toContain(
    "goes back to snapshot 'clean': what was written to its disks since is lost",
  );
});

test('what a later round of the machine itself deletes comes first, too', () => {
  const before = 'before-change';
  const review = reviewed(
    {},
    differs('restart', [], {
      does: [`taking snapshot ${before}-2`, 'writing memory', `deleting snapshot ${before}-1`],
      losses: { volumes: [], snapshots: [{ name: `${before}-1` }] },
      snapshots: [
        { does: 'delete', name: `${before}-1` },
        { does: 'take', name: `${before}-2` },
      ],
    }),
  );
  expect(review.machines[0]?.does).toEqual([
    ...[`deleting snapshot ${before}-1`, `taking snapshot ${before}-2`, 'writing memory'],
  ]);
  expect(review.lost.snapshots).toBe(1);
});
