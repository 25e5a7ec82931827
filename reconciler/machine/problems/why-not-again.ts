import { isHidden } from '../../privileges/hidden';
import type { Problem } from '../problem';
import { goneBehind } from './gone-disks';
import { goneSinceStart } from './gone-since-start';
import type { Start, Wanting } from './start';
import { startProblems } from './start-problems';

/**
 * Before a run stops a guest, or destroys it to make it anew, it knows that the guest can start then: this says why it
 * could not, as far as that can be known. The one look before a restart, going back to a snapshot, a rebuild and `power
 * reboot`. Proxmox looks only when it starts a guest, which is off by then.
 */
export function whyNotAgain(scene: Wanting, start: Start): Problem[] {
  const { facts } = scene.context;
  const { cluster } = facts;
  if (cluster === undefined) return [];
  const found = [...startProblems(scene, start, facts.askNode(start.node)), ...goneSinceStart(scene, start)];
  return [...found.filter(problem => !isHidden(problem, cluster)), ...goneBehind(scene, start)];
}
