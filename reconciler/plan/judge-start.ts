import type { MachineSpec } from '../../spec';
import type { Action, Refusal } from '../action';
import { afterWrite, wantsOf } from '../machine/parts/wants-of';
import type { PlanContext } from '../machine/plan-context';
import { refusalOf, type Problem } from '../machine/problem';
import { goneDisks } from '../machine/problems/gone-disks';
import { startProblems } from '../machine/problems/start-problems';
import { whyNotAgain } from '../machine/problems/why-not-again';
import { sceneOf, type Scene } from '../machine/scene';
import type { ObservedGuest } from '../observed';
import { isHidden } from '../privileges/hidden';
import { changesOf, type Judgement } from './judge';
import { nodeOf, type PlannedSteps } from './problems';

/** What a start is judged by. `isStopped`: this run stops the guest for it. */
interface PlannedStart {
  steps: PlannedSteps;
  isStopped: boolean;
}

/** What speaks against a start. */
type StartObjection = Pick<Judgement, 'refusals' | 'changes'>;

export const NO_OBJECTION: StartObjection = { refusals: [], changes: [] };

/** Why the guest would not start with all that is written or waits: told before anything is stopped for it. */
export function judgeStart(
  scene: Scene,
  guest: ObservedGuest,
  { steps, isStopped }: PlannedStart,
): StartObjection {
  const { cluster } = scene.context.facts;
  // was judged with Terraform's plan; before this run stops a guest for it, all is read (plan.ts, doesMoreThanJudged)
  if (cluster === undefined) return NO_OBJECTION;
  const after = afterWrite(scene.next, wantsOf(scene));
  const node = nodeOf(scene, guest, steps);
  // what only waits may be there again by the restart, and all else must go on until then
  const problems =
    isStopped && node
      ? whyNotAgain(scene, { vmid: guest.vmid, after, node: node.name, stopped: guest })
      : startProblems(scene, { after }, node).filter(problem => !isHidden(problem, cluster));
  return objectionOf(scene, problems);
}

/**
 * Why a guest that was suspended to disk would not wake: it does that with what it had, whatever the spec says, and before
 * anything is written to it.
 */
export function judgeWake(scene: Scene, guest: ObservedGuest, actions: readonly Action[]): StartObjection {
  const { cluster } = scene.context.facts;
  if (cluster === undefined) return NO_OBJECTION;
  const { vmid, node: place, current: after } = guest;
  const gone = goneDisks(scene, guest, actions, after);
  // it wakes where it is, also where it is to move
  const node = scene.context.facts.askNode(place);
  const remedy = `Bring that back on ${place}. Or give up what it has in memory, as when its power is cut (on ${place}: qm set ${vmid} --delete vmstate): then it is off, and takes what the spec says. Then run this again.`;
  const found = startProblems(scene, { after, who: 'It was suspended to disk, and as it was then it' }, node)
    .filter(problem => !isHidden(problem, cluster))
    .map(problem => ({ ...problem, remedy }));
  return objectionOf(scene, gone.length > 0 ? gone : found);
}

function objectionOf({ spec }: Scene, problems: readonly Problem[]): StartObjection {
  return {
    refusals: problems.map(problem => refusalOf(spec.id, problem)),
    changes: changesOf(problems, 'refused'),
  };
}

/** Why the guest would not come back from a reboot, which writes and uploads nothing of the spec. */
export function judgeReboot(spec: MachineSpec, guest: ObservedGuest, context: PlanContext): Refusal[] {
  const scene = sceneOf(spec, guest, 'kept', context);
  const { vmid, node } = guest;
  const start = { vmid, after: scene.next, node, stopped: guest, uploads: false };
  return whyNotAgain(scene, start).map(problem => refusalOf(spec.id, problem));
}
