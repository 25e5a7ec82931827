import { markerOf } from './body.mjs';

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

/** Writes the comment of a stack: over its own earlier one, else a new one. Gives its address. @param {import('./settings.mjs').Settings} settings @param {number} pullRequest @param {string} body @returns {Promise<string>} */
export async function writeComment(settings, pullRequest, body) {
  const comments = `issues/${pullRequest}/comments`;
  const there = await earlier(settings, comments);
  if (there !== undefined) {
    try {
      return (await ask(settings, 'PATCH', `issues/comments/${there}`, { body })).html_url;
    } catch (error) {
      // somebody deleted it meanwhile
      if (!(error instanceof CommentError) || ![404, 410].includes(error.status)) throw error;
    }
  }
  return (await ask(settings, 'POST', comments, { body })).html_url;
}

/** Anyone may write our marker: only a comment that this token's user wrote, and that begins with it, is ours. @param {import('./settings.mjs').Settings} settings @param {string} comments */
async function earlier(settings, comments) {
  const marker = markerOf(settings.key);
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const found = await ask(settings, 'GET', `${comments}?per_page=${PER_PAGE}&page=${page}`);
    const ours = found.find(
      (/** @type {{ body?: string, user?: { login?: string } }} */ { body, user }) =>
        user?.login === settings.author && body?.startsWith(marker),
    );
    if (ours !== undefined) return ours.id;
    if (found.length < PER_PAGE) return undefined;
  }
  return undefined;
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
  const answer = await fetch(address, { method, headers, signal, ...body }).catch(
    (/** @type {Error} */ error) => {
      throw new CommentError(0, `${method} ${path}: ${error.message}`);
    },
  );
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text);
  throw new CommentError(answer.status, `${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
}
