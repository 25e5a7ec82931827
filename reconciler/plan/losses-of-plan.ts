import type { Losses, LostSnapshot, LostVolume } from '../../spec';
import type { Action, MachinePlan } from '../action';
import { isOwnVolume, readDrive } from '../guest/drive';
import { losesNothing } from '../guest/losses';
import { stillToDelete } from '../machine/leaving-volumes';
import type { HeldSnapshot } from '../machine/plan-context';
import type { Scene } from '../machine/scene';

/** What the actions of a plan lose for good of a guest that stays: volumes that they delete, and snapshots. Pure. */
export function lossesByActions(scene: Scene, actions: readonly Action[]): Pick<MachinePlan, 'losses'> {
  const gone = actions.flatMap(action => (action.kind === 'configure' ? action.delete : []));
  // a disk that goes with its volume is detached first: the volume goes in the round after that
  const volumes = stillToDelete(scene)
    .filter(({ slot, file }) => gone.includes(slot) && isOwnVolume(file, scene.vmid))
    .map(({ slot }) => lostVolume(slot, scene));
  return lossesIfAny({ volumes, snapshots: deletedSnapshots(actions, scene.context.held?.list) });
}

/** The snapshots that a plan deletes. */
export function deletedSnapshots(
  actions: readonly Action[],
  held: readonly HeldSnapshot[] = [],
): LostSnapshot[] {
  return actions.flatMap(action => {
    if (action.kind !== 'delete-snapshot') return [];
    const { name } = action;
    const hasMemory = held.some(each => each.name === name && each.hasMemory);
    return [{ name, ...(hasMemory && { memory: true as const }) }];
  });
}

/** Losses as a plan has them: absent where there are none. */
export function lossesIfAny(losses: Losses): Pick<MachinePlan, 'losses'> {
  return losesNothing(losses) ? {} : { losses };
}

function lostVolume(slot: string, { config, slots }: Scene): LostVolume {
  const { file: volume, bytes } = readDrive(config[slot]);
  const disk = Object.entries(slots.goneDisks).find(([, at]) => at === slot)?.[0];
  return {
    slot,
    volume,
    kind: disk === undefined ? 'unused' : 'disk',
    ...(disk !== undefined && { disk }),
    ...(bytes !== undefined && { bytes }),
  };
}
