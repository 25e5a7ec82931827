import { untouched } from '../../action';
import { RefusedError } from '../../errors';
import { isBroughtBack } from '../../guest/generation';
import { unnamed } from '../../guest/losses';
import type { Identity } from '../../mark/identity';
import type { ObservedGuest } from '../../observed';
import { lossesList } from '../../plan/losses-text';
import { usedRefusal } from '../../plan/why-it-stays';
import { isUnexplained, othersUsing, type LinesOfOthers } from '../../run/reads/others-using';
import { lossesAtHand, lossesNow } from '../../run/reads/losses-now';
import type { Run } from '../../run/run';
import type { Losses } from '../../../spec';

/** What whoever asks for a destroy has said. */
export interface DestroyWish {
  /** Volumes that were kept go too. Absent: where the guest's mark says so. */
  withKept?: boolean | undefined;
  /** What was said to go, where somebody was asked: what came since is refused. */
  named?: Losses | undefined;
  /** The generation that the guest had then: a restore gives the volumes of other disks the same names. */
  generation?: string | undefined;
  /** Who deleted a resource of Kubernetes asks: a refusal names the ways out that are left then. */
  isOfResource?: boolean;
  /** Other guests are asked whether they use what goes, also where nothing speaks for it. */
  asksAll?: boolean;
  /** Throws where it is not asked for any more: called directly before the stop and before the DELETE. */
  allowed?: () => Promise<void>;
  /** What the other guests say, where several machines are looked at together. Absent: it is read anew. */
  lines?: LinesOfOthers;
}

/** The same, of which machine. */
export type DestroyOrder = DestroyWish & { identity: Identity };

/** Why a guest stays whatever goes with it: plan/why-it-stays. Here: what goes with the guest, where nothing of it is another guest's, or was not agreed to: else it is refused. */
export async function refuseLosses(run: Run, asked: DestroyOrder, guest: ObservedGuest): Promise<Losses> {
  const machine = asked.identity.ids[0];
  const isAsked = asked.named !== undefined || asked.asksAll === true;
  const losses = await (isAsked ? lossesNow : lossesAtHand)(run.pve, guest);
  refuseBroughtBack(machine, guest, asked);
  refuseUnnamed(machine, guest, losses, asked.named);
  const isDoubtful = asked.asksAll || losses.volumes.some(isUnexplained);
  const used = isDoubtful ? await othersUsing(run, guest, losses, asked.lines) : [];
  if (used.length > 0) throw new RefusedError([usedRefusal(machine, guest, used)]);
  return losses;
}

/** What was named are the disks of before: nobody was asked about those that came back. */
function refuseBroughtBack(machine: string, guest: ObservedGuest, { generation }: DestroyWish): void {
  if (!isBroughtBack(generation, guest.current)) return;
  const detail = `guest ${guest.vmid} on ${guest.node} was rolled back, or restored from a backup, since it was named what goes with it. Other disks may have those names now.`;
  const remedy = 'Somebody is at work on it. Run again: it names all that goes.';
  throw new RefusedError([{ machine, ...untouched('more-is-lost', detail, remedy) }]);
}

/** What came since somebody was asked was not agreed to. */
function refuseUnnamed(machine: string, { vmid, node }: ObservedGuest, losses: Losses, named?: Losses): void {
  const more = named && unnamed(losses, named);
  if (more === undefined) return;
  const detail = `the destroy of guest ${vmid} on ${node} would take more than was named: ${lossesList(more)}.`;
  const remedy = 'Somebody is at work on it. Run again: it names all that goes.';
  throw new RefusedError([{ machine, ...untouched('more-is-lost', detail, remedy) }]);
}
