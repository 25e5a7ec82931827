import { oneLine } from '../../report/visible';
import type { CloneLeftover } from '../../run/reads/clone-leftovers';

/** What is said of what a failed clone left, and what removes it: both commands are root's, on its node. */
export function leftoverText({ vmid, node, owner, machine, why }: CloneLeftover): string {
  const what =
    machine === undefined
      ? `is what a clone of this user left${why === undefined ? '' : ` (${why.trimEnd()})`}`
      : `is a part of machine ${machine} of ${owner ?? ''}, whose clone failed`;
  return oneLine(
    `guest ${vmid} on ${node} ${what}: it is not whole, and its lock (clone) stays, which no task holds. When no other run is at work, remove it as root on ${node}: qm unlock ${vmid}, then qm destroy ${vmid} --purge. Nothing that was in use is lost; runs take another id until then.`,
  );
}
