import { PveError, type PveErrorKind } from '../pve';

/** Undefined where the caller may not look, or the server has no such request; every other failure stands. */
export function ifAllowed<T>(reading: Promise<T>): Promise<T | undefined> {
  return unless(['denied', 'not-implemented'], reading);
}

/** Undefined where the server has no such request. */
export function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  return unless(['not-implemented'], reading);
}

/** Undefined where the caller may not look, the thing is gone, or nobody answers: then it is told or seen elsewhere. */
export async function ifSeen<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PveError && error.kind !== 'unauthenticated') return undefined;
    throw error;
  }
}

async function unless<T>(kinds: PveErrorKind[], reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PveError && kinds.includes(error.kind)) return undefined;
    throw error;
  }
}
