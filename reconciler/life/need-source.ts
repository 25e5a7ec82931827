import type { ActionOf } from '../action';
import { changed } from '../observe/same-guest';
import { guestWithId } from '../observe/tagged-guests';
import type { ListedGuest } from '../observed';
import type { Run } from '../run/run';

/** A clone that waited longer for its turn looks whether its source is still what was planned with. */
const LONG_MS = 5_000;

/**
 * Remembers what a clone is to be made of, as it is listed now. The answer is to be called once its turn has come: it throws
 * `changed` where the number has another guest by then, or its template has become none. PVE copies whatever has the
 * number, and asks for no digest. Of what is shown for this alone, one listing in a second is enough.
 */
export function sourceAsNow({ reading, cluster }: Run, { source }: ActionOf<'clone'>): () => Promise<void> {
  const asked = performance.now();
  const before = guestWithId(cluster.guests, source.vmid);
  return async () => {
    if (before === undefined || performance.now() - asked < LONG_MS) return;
    const now = guestWithId((await reading.listRecently()).guests, before.vmid);
    if (now === undefined || isAnother(now, before))
      throw changed(before, `guest ${before.vmid}, which is to be cloned, is another one now, or none`);
  };
}

/** PVE: for some ten seconds the listing tells neither the name of a new guest, nor that one is a template now (behaviour.md §10, §15.9). */
function isAnother(now: ListedGuest, before: ListedGuest): boolean {
  return (before.template && !now.template) || (before.name !== undefined && now.name !== before.name);
}
