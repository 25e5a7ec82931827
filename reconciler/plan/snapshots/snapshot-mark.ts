import type { Identity } from '../../mark/identity';
import { readDescription, writeDescription } from '../../mark/description';
import type { Mark } from '../../mark/mark';
import type { HeldSnapshot } from '../../machine/facts';
import type { WantedSnapshot } from '../../machine/plan-context';

/** Whose snapshot it is: a machine's, and the guest that is the machine. */
type Whose = Pick<Identity, 'owner'> & { machine: string; uuid: string; token?: string | undefined };

/**
 * The description to send: the user's text, and our line below it. By that line we know later what we have taken, and
 * whether it stays when it is no longer wanted.
 */
export function snapshotDescription(
  { description = '', onDestroy, entry }: Pick<WantedSnapshot, 'description' | 'onDestroy' | 'entry'>,
  { owner, machine, uuid, token }: Whose,
  before?: Mark,
): string {
  const mark: Mark = {
    owner,
    machine,
    uuid,
    entry: entry ?? before?.entry,
    token: token ?? before?.token,
    isKept: onDestroy === 'keep' ? true : undefined,
  };
  return writeDescription(description.trimEnd(), mark);
}

/** Our line in a snapshot, where it names this machine and its guest. Undefined: somebody else has taken it. */
export function markOfSnapshot(
  { description }: Pick<HeldSnapshot, 'description'>,
  { owner, ids }: Pick<Identity, 'owner' | 'ids'>,
  uuid: string,
): Mark | undefined {
  const { mark } = readDescription(description);
  return mark?.owner === owner && ids.includes(mark.machine) && mark.uuid === uuid ? mark : undefined;
}
