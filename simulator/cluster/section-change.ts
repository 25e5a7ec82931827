import { Failure, fail } from '../failure';
import { describeFailure } from '../perl-text';

/** A change of a file of the cluster under its lock: whatever fails inside, also a 400, comes back as a 500 with this prefix, its parameters in lines of their own. */
export function changing(prefix: string, change: () => void): null {
  try {
    change();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    fail(`${prefix}: ${describeFailure(error)}`);
  }
  return null;
}

/** Fails when the digest that was sent is not that of the file. */
export function checkUnmodified(sent: string | undefined, digest: string): void {
  if (sent === undefined || sent === '' || sent === digest) return;
  fail('detected modified configuration - file changed by other user? Try again.');
}
