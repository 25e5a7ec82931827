// The action: reviews a plan, and shows it in the pull request, in the summary of the job and as a page.
import { appendFileSync } from 'node:fs';
import { bodies } from './body.mjs';
import { CommentError, writeComment } from './comment.mjs';
import { reviewed } from './review.mjs';
import { settingsFrom, SettingsError } from './settings.mjs';

/** A line of GitHub's own form; what others wrote begins no second one. @param {'notice' | 'warning' | 'error'} kind @param {string} text */
function tell(kind, text) {
  const shown = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  console.log(`::${kind}::${shown}`);
}

/** @param {string | undefined} file @param {string} text */
function append(file, text) {
  if (file) appendFileSync(file, `${text}\n`);
}

/** The address of the comment; '' where there is none, which is said. @param {import('./settings.mjs').Settings} settings @param {string} body */
async function commented(settings, body) {
  if (settings.pullRequest === undefined) return '';
  try {
    const { address, isOfLater } = await writeComment(settings, settings.pullRequest, body);
    if (isOfLater)
      tell(
        'notice',
        'The comment is of a later run, and was left as it is. The summary of this job has this review.',
      );
    return address;
  } catch (error) {
    if (!(error instanceof CommentError)) throw error;
    tell(
      'warning',
      `No comment was written (${error.message}). ${remedyOf(error)} The summary of this job has the review.`,
    );
    return '';
  }
}

/** @param {CommentError} error */
function remedyOf({ status }) {
  if (status === 401 || status === 403 || status === 404)
    return 'Give the job "permissions: pull-requests: write"; a pull request from a fork never has that.';
  return 'Running the job again is safe: it writes over its own comment.';
}

try {
  const settings = settingsFrom(process.env);
  const review = reviewed(settings);
  const { comment, summary } = bodies(settings, review);
  append(process.env.GITHUB_STEP_SUMMARY, summary);
  const address = await commented(settings, comment);
  const outputs = {
    ...{ changes: review.changes, 'comment-url': address, page: review.page },
    ...{ artifact: `review-${settings.key}`, gate: review.isGated ? 1 : 0 },
  };
  for (const [name, value] of Object.entries(outputs))
    append(process.env.GITHUB_OUTPUT, `${name}=${String(value).replaceAll(/[\r\n]/g, '')}`);
  if (review.isGated) tell('error', `fail-on: ${review.gateSays}`);
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  tell('error', error.message);
  process.exitCode = 2;
}
