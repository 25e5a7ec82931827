import type { MachineSpec } from '../../spec';
import type { Action } from '../action';
import { afterWrite, wantsOf } from '../machine/parts/wants-of';
import type { PlaceOfNew } from '../machine/facts';
import type { PlanContext } from '../machine/plan-context';
import type { Start } from '../machine/problems/start';
import { createScene, sceneOf, type Scene } from '../machine/scene';
import { clonedGuest } from './foresee';

/**
 * A new machine as it starts for the first time, with all that its spec wants. `actions`: those that make it. Undefined: what
 * it is copied from was not read.
 */
export function firstStart(
  spec: MachineSpec,
  place: PlaceOfNew,
  actions: readonly Action[],
  context: PlanContext,
): (Start & { scene: Scene }) | undefined {
  const { vmid, source, destination: node = place.node } = place;
  if (source === undefined) return { vmid, node, ...startOf(createScene(spec, {}, place, context)) };
  const clone = actions.find(action => action.kind === 'clone');
  if (clone === undefined || source.config === undefined || source.isComing === true) return undefined;
  const scene = sceneOf(spec, clonedGuest(spec, clone, place), 'cloned', context);
  return { vmid, node, ...startOf(scene), from: { vmid: source.vmid, node: source.node } };
}

function startOf(scene: Scene): Pick<Start, 'after'> & { scene: Scene } {
  return { scene, after: afterWrite(scene.next, wantsOf(scene)) };
}
