import type { Refusal } from '../action';
import { RefusedError } from '../errors';

/**
 * The same refusals of a destroy, with the ways out of somebody who has deleted a resource: its spec is not applied any
 * more, but its word Retain counts. Other errors stay as they are. Pure.
 */
export function inWordsOfResource(error: unknown): unknown {
  return error instanceof RefusedError ? new RefusedError(error.refusals.map(remedied)) : error;
}

function remedied(refusal: Refusal): Refusal {
  const { why, remedy } = refusal;
  if (why === 'protected')
    return {
      ...refusal,
      remedy: `${NOT_APPLIED} ${remedy.replace(/^.* clear it on/, 'Clear it on')} ${RETAIN}`,
    };
  if (why !== 'kept-volumes') return refusal;
  const [moved = ''] = remedy.split('; or use it again');
  const unlinked = [...remedy.matchAll(/qm disk move (\d+) (\w+)/g)].map(
    ([, vmid, slot]) => `qm disk unlink ${vmid} --idlist ${slot} --force 1`,
  );
  return {
    ...refusal,
    remedy: `${NOT_APPLIED} ${moved}; or delete it where nobody needs it (${unlinked.join('; ')}). ${RETAIN}`,
  };
}

const NOT_APPLIED = 'The spec of a deleted resource is not applied.';
const RETAIN =
  'Or keep the guest: set spec.deletionPolicy to Retain. It stays as it is, without our mark, and the resource goes.';
