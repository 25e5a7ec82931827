import { InputError } from '../errors';
import type { Environment } from '../config/cluster-variables';

const COMMIT = /^[0-9a-f]{7,64}$/i;

/** The commit for the head of a review: the one that is given, or the one that a CI names. */
export function commitOf(given: string | undefined, environment: Environment): string | undefined {
  if (given !== undefined && !COMMIT.test(given)) {
    throw new InputError(`--commit ${given} is no commit: give its id, 7 to 64 hexadecimal digits.`);
  }
  // GitHub Actions and GitLab CI set these
  return [given, environment['GITHUB_SHA'], environment['CI_COMMIT_SHA']].find(
    text => text !== undefined && COMMIT.test(text),
  );
}
