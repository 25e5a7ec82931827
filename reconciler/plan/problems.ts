import { isAlwaysLive } from '../guest/key-kinds';
import { type Action, type MachinePlan, writtenKeys } from '../action';
import { DRIVE_KEYS, NETWORK_SLOTS } from '../guest/slot-names';
import type { Problem } from '../machine/problem';
import { absentReferences } from '../machine/problems/absent-references';
import { attachedTwice } from '../machine/problems/attached-twice';
import { createProblems } from '../machine/problems/create-problems';
import { dataIsoProblems } from '../machine/problems/data-iso-problems';
import { diskProblems } from '../machine/problems/disk-problems';
import { doubtfulSlots } from '../machine/problems/doubtful-slots';
import { goneDisks } from '../machine/problems/gone-disks';
import { haProblems } from '../machine/problems/ha-problems';
import { leavingUsed } from '../machine/problems/leaving-used';
import { linkedElsewhere } from '../machine/problems/linked-storage';
import { destinationOf, migrationProblems } from '../machine/problems/migration-problems';
import { otherVolumes } from '../machine/problems/other-volumes';
import { protectedDrives } from '../machine/problems/protection';
import { referenceProblems } from '../machine/problems/reference-problems';
import { homelessVolumes, tpmMoveProblems } from '../machine/problems/small-volumes';
import { snapshotProblems } from '../machine/problems/snapshot-problems';
import { unfit } from '../machine/problems/unfit';
import { unrememberedCards, unrememberedDisks } from '../machine/problems/unremembered-devices';
import { usedVolumes } from '../machine/problems/volume-use';
import type { Scene } from '../machine/scene';
import type { ObservedGuest, ObservedNode } from '../observed';
import { isHidden } from '../privileges/hidden';

/** What a plan does to a guest that is there, before it is judged. */
export type PlannedSteps = Pick<MachinePlan, 'actions' | 'waiting'>;

/** Of a guest that is to be made. */
export const NO_STEPS: PlannedSteps = { actions: [], waiting: [] };

/**
 * What stands between the machine and its spec: first what the guest alone tells, then what more has to be read for.
 * A template is never made anew: others may stand on its disks.
 */
export function problemsOf(scene: Scene, guest: ObservedGuest | undefined, steps: PlannedSteps): Problem[] {
  const own = ownProblems(scene, guest);
  const problems = own.length > 0 ? own : problemsElsewhere(scene, guest, steps);
  return guest?.template === true ? problems.map(problem => ({ ...problem, rebuild: undefined })) : problems;
}

function ownProblems(scene: Scene, guest: ObservedGuest | undefined): Problem[] {
  const { spec, origin } = scene;
  return [
    ...(origin === 'kept' ? createProblems(scene) : []),
    ...diskProblems(scene),
    ...attachedTwice(scene),
    ...doubtfulSlots(scene),
    ...unrememberedDisks(scene),
    ...unrememberedCards(scene),
    ...otherVolumes(scene),
    ...homelessVolumes(scene),
    ...protectedDrives(scene),
    ...dataIsoProblems(scene),
    ...unfit(scene),
    ...(guest ? [] : linkedElsewhere(scene)),
    ...(guest?.power === 'running' && spec.power !== 'stopped' ? tpmMoveProblems(scene) : []),
  ];
}

/** What storages, snapshots, other guests and the cluster have to do with it. `steps`: what is done to a guest. */
function problemsElsewhere(scene: Scene, guest: ObservedGuest | undefined, steps: PlannedSteps): Problem[] {
  const gone = guest ? goneDisks(scene, guest, steps.actions) : [];
  if (gone.length > 0) return gone;
  const held = guest ? [...snapshotProblems(scene), ...leavingUsed(scene)] : [];
  return [...usedVolumes(scene), ...held, ...problemsInCluster(scene, guest, steps)];
}

function problemsInCluster(scene: Scene, guest: ObservedGuest | undefined, steps: PlannedSteps): Problem[] {
  const { cluster } = scene.context.facts;
  if (cluster === undefined) return [];
  const node = nodeOf(scene, guest, steps);
  const references = [
    ...(node ? referenceProblems(scene, node) : []),
    ...absentReferences(scene, guest?.pool),
  ];
  return [
    ...haProblems(scene.spec, cluster),
    ...(guest ? migrationProblems(scene, cluster, guest) : []),
    ...references.filter(problem => !isHidden(problem, cluster)),
  ];
}

/**
 * The node that the machine is on, or will be. Its bridges and storages are asked for where a plan has to do with them: a
 * guest that runs has those that it runs with.
 */
export function nodeOf(
  scene: Scene,
  guest: ObservedGuest | undefined,
  steps: PlannedSteps,
): ObservedNode | undefined {
  const { facts } = scene.context;
  const place = (guest && destinationOf(scene, guest)) ?? scene.node;
  const known = facts.cluster?.nodes.find(({ name }) => name === place);
  return guest && known && hasToDoWithNode(steps, guest) ? facts.askNode(place) : known;
}

/** Whether a plan has to do with the bridges and storages of its guest's node. */
function hasToDoWithNode({ actions, waiting }: PlannedSteps, guest: ObservedGuest): boolean {
  const awaits = waiting.length > 0 && Object.keys(guest.pending).some(isOnNode);
  return awaits || actions.some(action => isDemanding(action, guest));
}

function isDemanding(action: Action, { power }: ObservedGuest): boolean {
  if (action.kind === 'configure') {
    const keys = writtenKeys(action);
    // what runs has its bridges and storages: for a later start of it, only those count that it gets now
    return power === 'running' ? keys.some(isOnNode) : !keys.every(isAlwaysLive);
  }
  if (action.kind === 'power') return action.to === 'running';
  return ['move-disk', 'restart', 'set-pool'].includes(action.kind);
}

/** Whether a key names a bridge or a storage. */
function isOnNode(key: string): boolean {
  return NETWORK_SLOTS.includes(key) || DRIVE_KEYS.includes(key);
}
