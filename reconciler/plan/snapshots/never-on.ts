import type { Refusal } from '../../action';
import { refusalOf, type Problem } from '../../machine/problem';
import { whyNotAgain } from '../../machine/problems/why-not-again';
import { afterWrite, wantsOf } from '../../machine/parts/wants-of';
import type { PlanContext } from '../../machine/plan-context';
import { sceneOf, type Scene } from '../../machine/scene';
import type { ObservedGuest } from '../../observed';
import { powerWanted } from '../power-actions';
import { revertAsked } from './revert-target';

/**
 * Why the guest that comes back could not run: it would be off by then, and nobody could start it. Told before
 * it goes back. `imagined`: what follows, of which nobody answers anything.
 */
export function neverOn(
  scene: Scene,
  now: ObservedGuest,
  back: ObservedGuest,
  imagined: PlanContext,
): Refusal[] {
  const { spec, context } = scene;
  // with its memory it goes on at once, as the snapshot has it
  const resumes = back.power === 'running';
  if (!(resumes || isToRun(scene, now))) return [];
  const next = sceneOf(spec, back, 'kept', imagined);
  const after = resumes ? back.current : afterWrite(next.next, wantsOf(next));
  const who = `Once it went back to snapshot '${revertAsked(scene)}' it`;
  const { vmid, node } = back;
  const start = { vmid, after, node, uploads: !resumes, who, stopped: now };
  return whyNotAgain({ spec, slots: next.slots, context }, start).map(problem =>
    refusalOf(spec.id, { ...problem, remedy: remedyFor(problem, scene, resumes), changed: 'nothing' }),
  );
}

/** What the snapshot has is not to be changed: only what it needs, or what is wanted after it. */
function remedyFor({ why, remedy }: Problem, scene: Scene, resumes: boolean): string {
  if (why === 'disk-gone') return remedy;
  const { context, vmid, node } = scene;
  const noWord = context.wanted.revert === undefined ? ', and remove revertTo' : '';
  const byHand = `go back in Proxmox (qm rollback ${vmid} ${revertAsked(scene)} on node ${node}), take it out of the guest there${noWord}`;
  const ways = resumes ? byHand : `say another one in the spec; or ${byHand}`;
  const first = why === 'start-fails' ? `${remedy} Then` : 'Bring that back, then';
  return `${first} run again. Or ${ways}.`;
}

/** Whether it runs once it went back without its memory: as the spec says, or as it did. */
function isToRun({ spec }: Scene, { power }: ObservedGuest): boolean {
  const wanted = powerWanted(spec);
  return wanted === 'running' || (wanted === 'unmanaged' && power === 'running');
}
