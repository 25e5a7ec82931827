import { untouched } from '../../action';
import { RefusedError } from '../../errors';
import type { Identity } from '../../mark/identity';
import { isOfImage } from '../../mark/image-words';
import { writeDescription } from '../../mark/description';
import { ifSame, sameGuest, sameMachine } from '../../observe/same-guest';
import type { ObservedGuest } from '../../observed';
import { writeConfig } from '../../pve';
import type { Run } from '../../run/run';
import { whyNoMark } from '../../plan/why-no-mark';
import { isOffWithChanges } from '../../run/reads/off-with-changes';
import { linkedClones } from '../../run/reads/linked-clones';

/**
 * A template that an image made leaves its Terraform state while its linked clones stay: no entry holds it then, and
 * `gc` may remove it. Any other template is refused. False: no clone is left by now, and nothing was written.
 */
export async function letGo(
  run: Run,
  { ids, entry }: Identity,
  guest: ObservedGuest,
  clones: readonly number[],
): Promise<boolean> {
  const machine = ids[0];
  if (entry === undefined || !isOfImage(guest.mark)) throw refuseForClones(machine, guest, clones);
  await run.needQuorumNow();
  const now = await sameGuest(run.pve, guest);
  await run.refresh();
  const left = await linkedClones(run.pve, now, run.cluster.guests);
  if (left.length === 0) return false;
  if (now.mark?.entry !== undefined) {
    const waits = whyNoMark(now, await isOffWithChanges(run.pve, now));
    // its mark is not written: that is all that letting go of it means
    if (waits !== undefined)
      throw refused(
        machine,
        `template ${now.vmid} on ${now.node} is not let go: ${waits.why}.`,
        waits.remedy,
      );
    const { entry: _, ...free } = now.mark;
    const description = writeDescription(now.description, free);
    await writeConfig(run.pve, now, { description, digest: now.digest });
  }
  tellLetGo(run, machine, guest, left);
  return true;
}

/** Whether an entry let the template go by a write whose answer was lost, and says so then. Reads only. */
export async function wasLetGo(
  run: Run,
  { ids, entry }: Identity,
  guest: ObservedGuest,
  clones: readonly number[],
): Promise<boolean> {
  if (entry === undefined || guest.mark?.entry !== entry) return false;
  const now = await ifSame(sameMachine(run.pve, guest));
  if (now === undefined || now.mark?.entry !== undefined) return false;
  tellLetGo(run, ids[0], guest, clones);
  return true;
}

function tellLetGo(
  run: Run,
  machine: string,
  { vmid, node }: ObservedGuest,
  clones: readonly number[],
): void {
  const text = `template ${vmid} on ${node} stays: there are linked clones of it: ${clones.join(', ')}. No Terraform state holds it any more: pve-reconciler gc --yes removes it once they are gone.`;
  run.report({ kind: 'warning', machine, text });
}

/** Why a template is not destroyed now. */
export function refuseForClones(
  machine: string,
  { vmid, node }: ObservedGuest,
  clones: readonly number[],
): RefusedError {
  const detail = `guest ${vmid} on ${node} is a template, and there are linked clones of it: ${clones.join(', ')}.`;
  return refused(machine, detail, 'Remove those first.');
}

function refused(machine: string, detail: string, remedy: string): RefusedError {
  return new RefusedError([{ machine, ...untouched('template', detail, remedy) }]);
}
