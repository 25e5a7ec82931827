import { untouched, type Refusal } from '../../action';
import { goneSinceStart } from '../../machine/problems/gone-since-start';
import { afterWrite, wantsOf } from '../../machine/parts/wants-of';
import type { PlanContext } from '../../machine/plan-context';
import { sceneOf, type Scene } from '../../machine/scene';
import type { ObservedGuest } from '../../observed';
import { isHidden } from '../../privileges/hidden';
import { powerWanted } from '../power-actions';
import { revertAsked } from './revert-target';

/**
 * What the guest that comes back needs to run, and is gone: it would be off by then, and nobody could start it. Told before
 * it goes back. `imagined`: what follows, of which nobody answers anything.
 */
export function neverOn(
  scene: Scene,
  now: ObservedGuest,
  back: ObservedGuest,
  imagined: PlanContext,
): Refusal[] {
  const { spec, context } = scene;
  const { cluster } = context.facts;
  // with its memory it goes on at once, as the snapshot has it
  const resumes = back.power === 'running';
  if (cluster === undefined || !(resumes || isToRun(scene, now))) return [];
  const next = sceneOf(spec, back, 'kept', imagined);
  const after = resumes ? back.current : afterWrite(next.next, wantsOf(next));
  const to = revertAsked(scene) ?? '';
  const start = {
    vmid: back.vmid,
    after,
    node: back.node,
    resumes,
    who: `Once it went back to snapshot '${to}' it`,
  };
  const noWord = context.wanted.revert === undefined ? ', and remove revertTo' : '';
  const byHand = `go back in Proxmox (qm rollback ${back.vmid} ${to} on node ${back.node}), take it out of the guest there${noWord}`;
  const ways = resumes ? byHand : `say another one in the spec; or ${byHand}`;
  return goneSinceStart({ spec, slots: next.slots, context }, start)
    .filter(problem => !isHidden(problem, cluster))
    .map(({ why, detail }) => ({
      machine: spec.id,
      ...untouched(why, detail, `Bring that back, then run again. Or ${ways}.`),
    }));
}

/** Whether it runs once it went back without its memory: as the spec says, or as it did. */
function isToRun({ spec }: Scene, { power }: ObservedGuest): boolean {
  const wanted = powerWanted(spec);
  return wanted === 'running' || (wanted === 'unmanaged' && power === 'running');
}
