import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** The inputs of the action are wrong, or its program is not there. The message says what to do. */
export class SettingsError extends Error {}

/**
 * What the action is asked for. `key`: of the stack, as it may stand in a comment, a file or an artefact.
 * @typedef {ReturnType<typeof settingsFrom>} Settings
 */

/** @param {NodeJS.ProcessEnv} env */
export function settingsFrom(env) {
  const stack = needed(env, 'REVIEW_STACK', 'stack');
  return {
    stack,
    key: createHash('sha256').update(stack).digest('hex').slice(0, 16),
    plan: needed(env, 'REVIEW_PLAN', 'plan'),
    program: programFrom(env.REVIEW_PROGRAM ?? ''),
    failOn: env.REVIEW_FAIL_ON ?? '',
    author: needed(env, 'REVIEW_COMMENT_AUTHOR', 'comment-author'),
    token: env.REVIEW_TOKEN ?? '',
    pullRequest: wantsComment(env) ? pullRequestFrom(env) : undefined,
    api: env.GITHUB_API_URL ?? 'https://api.github.com',
    repository: needed(env, 'GITHUB_REPOSITORY', 'GITHUB_REPOSITORY, which GitHub sets'),
    run: `${env.GITHUB_SERVER_URL ?? 'https://github.com'}/${env.GITHUB_REPOSITORY ?? ''}/actions/runs/${env.GITHUB_RUN_ID ?? ''}`,
    // of two runs the later one has the larger number; what runs again keeps its number
    turn: [env.GITHUB_RUN_ID, env.GITHUB_RUN_ATTEMPT].map(text => Number(text) || 0),
    folder: env.RUNNER_TEMP ?? '.',
  };
}

/** @param {NodeJS.ProcessEnv} env @param {string} name @param {string} input */
function needed(env, name, input) {
  const value = env[name]?.trim();
  if (value) return value;
  throw new SettingsError(`the input ${input} is empty: give it. Nothing was written.`);
}

const INSTALLED = ['cdktf-proxmox', 'cdktn-proxmox'].map(name => `node_modules/${name}/dist/reconciler.cjs`);

/** @param {string} given */
function programFrom(given) {
  const found = [given]
    .filter(file => file !== '')
    .concat(given === '' ? INSTALLED : [])
    .find(file => existsSync(file));
  if (found !== undefined) return found;
  throw new SettingsError(
    given === ''
      ? 'neither cdktf-proxmox nor cdktn-proxmox is installed here: run npm ci before, or give the input program. Nothing was written.'
      : `the input program names ${given}, which is not there: give the reconciler.cjs of the package. Nothing was written.`,
  );
}

/** @param {NodeJS.ProcessEnv} env */
function wantsComment({ REVIEW_COMMENT: word = 'true' }) {
  if (word === 'true' || word === 'false') return word === 'true';
  throw new SettingsError(`the input comment is ${word}: give true or false. Nothing was written.`);
}

/** The number of the pull request: as it was given, else of the event; undefined where the event has none. @param {NodeJS.ProcessEnv} env */
function pullRequestFrom({ REVIEW_PULL_REQUEST: given = '', GITHUB_EVENT_PATH: file = '' }) {
  const number = given === '' ? numberIn(file) : Number(given);
  if (number === undefined || (Number.isSafeInteger(number) && number > 0)) return number;
  throw new SettingsError(`the input pull-request is ${given}: give its number. Nothing was written.`);
}

/** @param {string} file @returns {number | undefined} */
function numberIn(file) {
  return file !== '' && existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8')).pull_request?.number
    : undefined;
}
