import { failOnWords, failures } from '../../../reconciler/review/fail-on';
import { reviewMarkdown } from '../../../reconciler/review/markdown';
import { reviewHtml } from '../../../reconciler/review/page/page';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { reviewText } from '../../../reconciler/review/text';
import { differs, planOf } from '../../support/review/plan-document';

test('what cloud-init may write over is lost for good in all forms, and stops the gate of lost volumes', () => {
  const data = ['what it may write over'];
  const losses = { volumes: [], snapshots: [], data };
  const change = { field: 'cloudInit', from: 'a', to: 'b', effect: 'live' } as const;
  const web = differs('live', [change], { losses });
  const review = reviewPlan(planOf({ web }), 'plan.json');
  for (const form of [reviewText, reviewMarkdown, reviewHtml]) {
    expect(form(review)).toContain('Lost for good: what it may write over.');
  }
  expect(failures(review, failOnWords('lost-volume'))).toEqual(['lost-volume (1)']);
});
