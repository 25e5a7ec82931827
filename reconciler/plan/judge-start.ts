import type { MachineSpec } from '../../spec';
import type { Action, Refusal } from '../action';
import { afterWrite, wantsOf } from '../machine/parts/wants-of';
import type { PlanContext } from '../machine/plan-context';
import { refusalOf } from '../machine/problem';
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

/** Why the guest would not start with all that is written or waits: told before anything is stopped for it. */
export function judgeStart(
  scene: Scene,
  guest: ObservedGuest,
  { steps, isStopped }: PlannedStart,
): Judgement {
  const { spec, context } = scene;
  const { cluster } = context.facts;
  // was judged with Terraform's plan; before this run stops a guest for it, all is read (plan.ts, doesMoreThanJudged)
  if (cluster === undefined) return { refusals: [], changes: [], rebuilds: false };
  const after = afterWrite(scene.next, wantsOf(scene));
  const node = nodeOf(scene, guest, steps);
  // what only waits may be there again by the restart, and all else must go on until then
  const problems =
    isStopped && node
      ? whyNotAgain(scene, { vmid: guest.vmid, after, node: node.name, stopped: guest })
      : startProblems(scene, { after }, node).filter(problem => !isHidden(problem, cluster));
  return {
    refusals: problems.map(problem => refusalOf(spec.id, problem)),
    changes: changesOf(problems, 'refused'),
    rebuilds: false,
  };
}

/**
 * Why a guest that was suspended to disk would not wake: it does that with what it had, whatever the spec says, and before
 * anything is written to it.
 */
export function judgeWake(scene: Scene, guest: ObservedGuest, actions: readonly Action[]): Judgement {
  const { cluster } = scene.context.facts;
  if (cluster === undefined) return { refusals: [], changes: [], rebuilds: false };
  const { vmid, node: place, current: after } = guest;
  const gone = goneDisks(scene, guest, actions, after);
  // it wakes where it is, also where it is to move
  const node = scene.context.facts.ask('node', place) ?? cluster.nodes.find(({ name }) => name === place);
  const remedy = `Bring that back on ${place}. Or give up what it has in memory, as when its power is cut (on ${place}: qm set ${vmid} --delete vmstate): then it is off, and takes what the spec says. Then run this again.`;
  const found = startProblems(scene, { after, who: 'It was suspended to disk, and as it was then it' }, node)
    .filter(problem => !isHidden(problem, cluster))
    .map(problem => ({ ...problem, remedy }));
  const problems = gone.length > 0 ? gone : found;
  return {
    refusals: problems.map(problem => refusalOf(scene.spec.id, problem)),
    changes: changesOf(problems, 'refused'),
    rebuilds: false,
  };
}

/** Why the guest would not come back from a reboot, which writes and uploads nothing of the spec. */
export function judgeReboot(spec: MachineSpec, guest: ObservedGuest, context: PlanContext): Refusal[] {
  const scene = sceneOf(spec, guest, 'kept', context);
  const { vmid, node } = guest;
  const start = { vmid, after: scene.next, node, stopped: guest, uploads: false };
  return whyNotAgain(scene, start).map(problem => refusalOf(spec.id, problem));
}
