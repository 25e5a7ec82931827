import { PveError, type PveErrorKind } from '../pve';

/** Undefined where the caller may not look, or the server has no such request; every other failure stands. */
export const ifAllowed = unless(kind => kind === 'denied' || kind === 'not-implemented');

/** Undefined where the server has no such request. */
export const ifThere = unless(kind => kind === 'not-implemented');

/** Undefined where it is not told, or in a way that nobody understands: for what nothing is decided by. */
export const ifTold = unless(kind => ['denied', 'not-implemented', 'unreadable'].includes(kind));

/** Undefined where a guest went or moved since it was listed. A guest that is hidden is an error. */
export const ifStillThere = unless(kind => kind === 'not-found');

/** Undefined where a guest went or moved since it was listed, or may not be seen. */
export const ifListed = unless(kind => kind === 'not-found' || kind === 'denied');

/** Undefined where it could not be read, whatever the reason but a wrong token: then it is told or seen elsewhere. */
export const ifSeen = unless(kind => kind !== 'unauthenticated');

/** The same, but for an answer that nobody understands: what is not told like one guest is told like none. */
export const ifReadable = unless(kind => kind !== 'unauthenticated' && kind !== 'unreadable');

function unless(isExpected: (kind: PveErrorKind) => boolean) {
  return async <T>(reading: Promise<T>): Promise<T | undefined> => {
    try {
      return await reading;
    } catch (error) {
      if (error instanceof PveError && isExpected(error.kind)) return undefined;
      throw error;
    }
  };
}
