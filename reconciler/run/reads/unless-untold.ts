import type { ElsewhereFacts } from '../../machine/facts';
import { PveError } from '../../pve';

export type Unread = ElsewhereFacts['unread'][number];

/** Undefined: it is not told, and `untold` hears why; or the server has no such thing. */
export async function unlessUntold<T>(
  reading: Promise<T>,
  untold: (why: string) => void,
): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof PveError) || error.kind === 'unauthenticated') throw error;
    if (error.kind !== 'not-implemented') untold(error.said);
    return undefined;
  }
}
