import type { Losses, LostSnapshot, LostVolume } from '../../spec';
import type { Action, MachinePlan } from '../action';
import { isOwnVolume, readDrive } from '../guest/drive';
import { losesNothing } from '../guest/losses';
import { stillToDelete } from '../machine/leaving-volumes';
import type { HeldSnapshot } from '../machine/facts';
import { placesInHa } from './entries-lost';
import type { Scene } from '../machine/scene';

/**
 * What the actions of a plan lose for good of a guest that stays: volumes that they delete, snapshots, and its places in HA. `going`: the
 * snapshots that a later round of the same run deletes. Pure.
 */
export function lossesByActions(
  scene: Scene,
  actions: readonly Action[],
  going: readonly string[] = [],
): Pick<MachinePlan, 'losses'> {
  const gone = actions.flatMap(action => (action.kind === 'configure' ? action.delete : []));
  // a disk that goes with its volume is detached first: the volume goes in the round after that
  const volumes = stillToDelete(scene)
    .filter(({ slot, file }) => gone.includes(slot) && isOwnVolume(file, scene.vmid))
    .map(({ slot }) => lostVolume(slot, scene));
  const isSnapshotLost = going.length > 0 || actions.some(({ kind }) => kind === 'delete-snapshot');
  const held = isSnapshotLost ? scene.context.facts.ask('snapshots') : undefined;
  const snapshots = [...deletedSnapshots(actions, held), ...going.map(name => lostSnapshot(name, held))];
  const entries = leftEntries(scene, actions);
  return lossesIfAny({ volumes, snapshots, ...(entries.length > 0 && { entries }) });
}

/** What names the guest in HA, where an action takes it out of that. */
function leftEntries({ context: { facts } }: Scene, actions: readonly Action[]): string[] {
  const leaves = actions.some(({ kind }) => kind === 'leave-ha');
  return leaves ? placesInHa(facts.ask('ha'), facts.ask('haRules')) : [];
}

/** The snapshots that the actions of a plan delete. */
export function deletedSnapshots(
  actions: readonly Action[],
  held: readonly HeldSnapshot[] = [],
): LostSnapshot[] {
  return actions.flatMap(action =>
    action.kind === 'delete-snapshot' ? [lostSnapshot(action.name, held)] : [],
  );
}

/** The snapshots that a plan deletes only once its actions are done. A destroy takes them itself. */
export function deletedLater({
  actions,
  foreseen = [],
  losses,
}: Pick<MachinePlan, 'actions' | 'foreseen' | 'losses'>): string[] {
  const isTold = (name: string): boolean =>
    [...actions, ...foreseen].some(
      each => each.kind === 'destroy' || (each.kind === 'delete-snapshot' && each.name === name),
    );
  return (losses?.snapshots ?? []).map(({ name }) => name).filter(name => !isTold(name));
}

function lostSnapshot(name: string, held: readonly HeldSnapshot[] = []): LostSnapshot {
  const hasMemory = held.some(each => each.name === name && each.hasMemory);
  return { name, ...(hasMemory && { memory: true }) };
}

/** Losses as a plan has them: absent where there are none. */
export function lossesIfAny(losses: Losses): Pick<MachinePlan, 'losses'> {
  return losesNothing(losses) ? {} : { losses };
}

/** The losses of several plans that follow each other in a run, each named once. */
export function lossesTogether(all: readonly (Losses | undefined)[]): Pick<MachinePlan, 'losses'> {
  const volumes = all.flatMap(losses => losses?.volumes ?? []);
  const snapshots = all.flatMap(losses => losses?.snapshots ?? []);
  const entries = [...new Set(all.flatMap(losses => losses?.entries ?? []))];
  const data = [...new Set(all.flatMap(losses => losses?.data ?? []))];
  return lossesIfAny({
    ...(entries.length > 0 && { entries }),
    ...(data.length > 0 && { data }),
    volumes: [...new Map(volumes.map(each => [each.volume, each])).values()],
    snapshots: [...new Map(snapshots.map(each => [each.name, each])).values()],
  });
}

function lostVolume(slot: string, { next, slots }: Scene): LostVolume {
  const { file: volume, bytes } = readDrive(next[slot]);
  const disk = Object.entries(slots.goneDisks).find(([, at]) => at === slot)?.[0];
  return {
    slot,
    volume,
    kind: disk === undefined ? 'unused' : 'disk',
    ...(disk !== undefined && { disk }),
    ...(bytes !== undefined && { bytes }),
  };
}
