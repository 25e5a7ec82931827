import { markerIn } from './body.mjs';

/** GitHub did not take the comment. `status` 0: it did not answer. */
export class CommentError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const PER_PAGE = 100;
/** A pull request of more comments gets a new one. */
const MOST_PAGES = 50;
const PATIENCE_MS = 30_000;

/** @typedef {{ id: number, html_url: string, body?: string, user?: { login?: string } }} Comment */

/** Writes the comment of a stack: over its own earlier one, else a new one. Gives its address. `isOfLater`: a later run wrote it, and it was left. @param {import('./settings.mjs').Settings} settings @param {number} pullRequest @param {string} body @returns {Promise<{ address: string, isOfLater: boolean }>} */
export async function writeComment(settings, pullRequest, body) {
  const comments = `issues/${pullRequest}/comments`;
  const there = await newest(settings, comments);
  if (there !== undefined && isLater(turnOf(there), settings.turn))
    return { address: there.html_url, isOfLater: true };
  if (there !== undefined) {
    try {
      const { html_url } = await ask(settings, 'PATCH', `issues/comments/${there.id}`, { body });
      return { address: html_url, isOfLater: false };
    } catch (error) {
      // somebody deleted it meanwhile
      if (!(error instanceof CommentError) || ![404, 410].includes(error.status)) throw error;
    }
  }
  return { address: (await ask(settings, 'POST', comments, { body })).html_url, isOfLater: false };
}

/** Our comment of the latest run. Anyone may write our marker: only a comment that this token's user wrote, and that begins with it, is ours. @param {import('./settings.mjs').Settings} settings @param {string} comments @returns {Promise<Comment | undefined>} */
async function newest(settings, comments) {
  let latest;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const found = await ask(settings, 'GET', `${comments}?per_page=${PER_PAGE}&page=${page}`);
    for (const comment of found) {
      const isOurs = comment.user?.login === settings.author && markerIn(comment.body)?.key === settings.key;
      if (isOurs && (latest === undefined || isLater(turnOf(comment), turnOf(latest)))) latest = comment;
    }
    if (found.length < PER_PAGE) break;
  }
  return latest;
}

/** @param {Comment} comment */
const turnOf = ({ body }) => markerIn(body)?.turn ?? [];

/** @param {number[]} one @param {number[]} other */
function isLater([run = 0, attempt = 0], [otherRun = 0, otherAttempt = 0]) {
  return run === otherRun ? attempt > otherAttempt : run > otherRun;
}

/** @param {import('./settings.mjs').Settings} settings @param {string} method @param {string} path @param {object} [sent] */
async function ask({ api, repository, token }, method, path, sent) {
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'user-agent': 'cdktf-proxmox-review',
    'x-github-api-version': '2022-11-28',
  };
  const address = `${api}/repos/${repository}/${path}`;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
  let status = 0;
  try {
    const answer = await fetch(address, { method, headers, signal, ...body });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text);
    status = answer.status;
    throw new Error(`${status} ${text.slice(0, 300)}`);
  } catch (error) {
    throw new CommentError(status, `${method} ${path}: ${error instanceof Error ? error.message : error}`);
  }
}
