import { InputError } from '../errors';
import { reviewColour } from '../report/colours';
import { shellWord } from '../report/shell-word';
import { EXIT } from '../report/exit-code';
import { failOnWords, failures } from '../review/fail-on';
import { reviewHtml } from '../review/page/page';
import { reviewMarkdown } from '../review/markdown';
import type { Review } from '../review/review';
import { reviewFolder } from '../review/review-folder';
import { reviewPlan } from '../review/review-plan';
import { STDIN } from '../review/plan/read';
import { reviewText } from '../review/text';
import { commitOf } from '../input/commit';
import { documentsOfStack } from '../input/stack-folder';
import { MOST_PLAN_BYTES } from '../config/named-file';
import { fileText, isFolder } from '../input/file-text';
import { entryNamed } from '../input/known-word';
import { otherFile, planlessFile } from '../input/other-files';
import type { Options, Surroundings } from '../input/surroundings';

const FORMS: Readonly<Record<string, (review: Review) => string>> = {
  text: reviewText,
  markdown: reviewMarkdown,
  json: review => JSON.stringify(review, undefined, 2),
  html: reviewHtml,
};

/** Tells what a plan of Terraform does to machines, or what a stack's folder wants. It asks neither of both, nor Proxmox. */
export async function review(around: Surroundings, options: Options, [file]: string[]): Promise<number> {
  const form = entryNamed('--format', options.format ?? (options.json ? 'json' : 'text'), FORMS);
  const words = failOnWords(options.failOn);
  const commit = commitOf(options.commit, around.environment);
  const read = await reviewed(around, options, file);
  const made = { ...read, about: { ...read.about, commit } };
  around.out(`${form(made)}\n`, form === reviewText ? reviewColour : undefined);
  const failed = failures(made, words);
  if (failed.length === 0) return EXIT.done;
  around.reporter.say('error', `--fail-on: the review holds ${failed.join(', ')}.`);
  return EXIT.gate;
}

async function reviewed(
  around: Surroundings,
  { spec = [] }: Options,
  file: string | undefined,
): Promise<Review> {
  if (spec.length === 0) {
    if (file === undefined || file === '-') return reviewPlan(await around.readInput(), STDIN);
    if (await isFolder(file)) throw aFolder(file);
    const planless = planlessFile(file);
    if (planless !== undefined) throw new InputError(planless);
    return reviewPlan(await fileText(file, MOST_PLAN_BYTES), file);
  }
  if (file !== undefined) throw new InputError(`give a plan (${file}) or --spec, not both.`);
  const documents = [];
  for (const folder of spec) {
    if (!(await isFolder(folder))) throw noFolder(folder);
    documents.push(...(await documentsOfStack(folder, around, 'review')));
  }
  return reviewFolder(documents);
}

function aFolder(given: string): InputError {
  return new InputError(
    `${given} is a folder, not a plan. Give the output of "terraform show -json PLAN"; or a stack's folder with --spec.`,
  );
}

function noFolder(given: string): InputError {
  const other = planlessFile(given) ?? otherFile(given);
  if (other !== undefined) return new InputError(other);
  const plan = `pve-reconciler plan --spec ${shellWord(given)}`;
  return new InputError(
    `${given} is no folder of a synthesized stack: give one, such as cdktf.out/stacks/web. What would be done for a desired state tells ${plan}`,
  );
}
