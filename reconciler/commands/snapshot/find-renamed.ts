import { isOwnerTag } from '../../mark/owner-tag';
import { proofOf } from '../../observe/proof';
import type { ListedGuest } from '../../observed';
import { markOfSnapshot } from '../../plan/snapshots/snapshot-mark';
import { listSnapshots, PveError } from '../../pve';
import type { Run } from '../../run/run';

/** The snapshot of a Terraform entry, as it was named when it was taken. */
interface Sought {
  owner: string;
  machine: string;
  name: string;
  entry: string | undefined;
}

/**
 * The id that a machine has now, where it has a snapshot that was taken for it under another id: the lines in the guest
 * and in the snapshot prove both. Terraform's destroy knows no former ids. Reads only; undefined: there is none.
 */
export async function findRenamed(run: Run, sought: Sought): Promise<string | undefined> {
  const listed = run.cluster.guests.filter(({ type, tags }) => type === 'qemu' && tags.some(isOwnerTag));
  const found = await Promise.all(listed.map(guest => renamed(run, guest, sought)));
  return found.find(id => id !== undefined);
}

async function renamed({ pve }: Run, guest: ListedGuest, sought: Sought): Promise<string | undefined> {
  const { owner, machine, name, entry } = sought;
  try {
    const mark = await proofOf(pve, guest);
    if (typeof mark !== 'object' || mark.o !== owner) return undefined;
    const one = (await listSnapshots(pve, guest)).find(each => each.name === name);
    if (one === undefined) return undefined;
    const { description = '' } = one;
    const its = markOfSnapshot({ description }, { owner, ids: [machine] }, mark.u);
    return its !== undefined && its.e === entry ? mark.m : undefined;
  } catch (error) {
    // gone or moved since it was listed, or another's that may not be seen
    if (error instanceof PveError && ['not-found', 'denied'].includes(error.kind)) return undefined;
    throw error;
  }
}
