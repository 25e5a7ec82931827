import { reviewHtml } from '../../../reconciler/review/page/page';
import { reviewMarkdown } from '../../../reconciler/review/markdown';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { reviewText } from '../../../reconciler/review/text';
import type { Json } from '../cluster/lab';
import { planOf } from '../review/plan-document';
import { namedIn, namedInJson, type Named } from './named';
import type { Stage } from './stage';

/** What each text or document names. */
export type Names = Readonly<Record<string, Named>>;

interface Reviewed {
  names: Names;
  said: string[];
  /** What the observer told of each machine: Terraform hands the token on. */
  told: Record<string, Record<string, string>>;
}

/** The name of a machine's entry in its Terraform state. */
export const entryOf = (id: string): string => `entry-${id}`;

/**
 * What Terraform would be told of these machines, and what the review says of the plan that follows: these change as
 * the observer says, and the entries of others leave.
 */
export async function reviewed(
  { lab, ofTerraform }: Stage,
  machines: Json[],
  leaving: string[],
): Promise<Reviewed> {
  const specs = machines.map(({ snapshots: _, ...spec }) => [String(spec['id']), spec] as const);
  const entries = specs.filter(([id]) => ofTerraform.has(id)).map(([id]) => [id, entryOf(id)] as const);
  const ran = await lab.observe(Object.fromEntries(specs), Object.fromEntries(entries));
  if (ran.code !== 0) return { names: {}, told: {}, said: [`observe: ${ran.stderr}`] };
  const told: Reviewed['told'] = Object.fromEntries(specs.map(([id]) => [id, {}]));
  for (const [key, value] of Object.entries(ran.told)) {
    const [, id = '', field = ''] = /^([^.]+)\.([^.]+)$/.exec(key) ?? [];
    const one = told[id];
    if (one) one[field] = value;
  }
  const held = JSON.parse(ran.told['guests'] ?? '{}') as object;
  const others = Object.fromEntries(leaving.map(id => [id, {}]));
  const text = planOf(
    { ...told, ...others },
    { held, entries: Object.fromEntries(leaving.map(id => [id, ['delete']])) },
  );
  const review = reviewPlan(text, 'the plan');
  const shown = reviewText(review);
  return {
    told,
    said: [shown],
    names: {
      'review (json)': namedInJson(review),
      'review (text)': namedIn(shown),
      'review (markdown)': namedIn(unescaped(reviewMarkdown(review))),
      'review (html)': namedIn(unescaped(reviewHtml(review).replace(/<[^>]*>/g, '\n'))),
    },
  };
}

/** The text without what Markdown and HTML need around signs. */
function unescaped(text: string): string {
  return text
    .replace(/&#x?\w+;|&(?:amp|lt|gt|quot);/g, entity => ENTITIES[entity] ?? entity)
    .replace(/\\(?=\W|_)/g, '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
