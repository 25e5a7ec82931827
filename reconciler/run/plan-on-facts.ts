import type { MachineSpec } from '../../spec';
import type { Action, MachinePlan, Refusal } from '../action';
import type { Run } from './run';
import { isAlwaysLive } from '../machine/effect';
import { existingVolume, ownerOfVolume, readDrive } from '../guest/drive';
import { lossesOf } from '../guest/losses';
import { maySeeAllGuests } from '../observe/may-see-guests';
import { useOfVolumes } from '../observe/volume-users';
import { goneVolumes } from './reads/gone-volumes';
import { othersUsing } from './reads/others-using';
import type { ObservedGuest, ObservedMachine } from '../observed';
import type { KeptSnapshot, PlanContext, PlanFacts } from '../machine/plan-context';
import { planMachine } from '../plan/plan';
import type { Planned } from '../plan/planned';
import { preflight } from '../plan/preflight';
import { ifSeen } from '../observe/if-allowed';
import { DRIVE_KEYS, NETWORK_SLOTS, busOf } from '../guest/slot-names';
import { listPools, listSnapshots, listVolumes, readSnapshot, type GuestAddress } from '../pve';

/** The plan of a machine, made once more where it stands on something that had to be read first. Reads only. */
export async function planOnFacts(
  run: Run,
  spec: MachineSpec,
  have: ObservedMachine,
  context: PlanContext,
): Promise<{ plan: MachinePlan; context: PlanContext }> {
  const plan = planMachine(spec, have, run.cluster, context);
  const [read, gone] = [await factsFor(run, spec, have, plan), await goneOf(run, have, plan, context)];
  if (read === undefined && gone.length === 0) return { plan, context };
  const facts = { ...read, ...(gone.length > 0 && { goneVolumes: gone }) };
  const known = { ...context, facts };
  return { plan: planMachine(spec, have, run.cluster, known), context: known };
}

/**
 * What the caller may not do of a plan. Reads the source of a clone only where it decides that, once for all machines.
 */
export async function permitted(run: Run, planned: Omit<Planned, 'cluster'>): Promise<Refusal[]> {
  const { cluster } = run;
  const { context } = planned;
  const { refusals, unsure } = preflight({ ...planned, cluster });
  if (!unsure || context.source === undefined) return refusals;
  const config = await run.places.reading.configIfThere(context.source);
  if (config === undefined) return refusals;
  const source = { ...context.source, config };
  return preflight({ ...planned, cluster, context: { ...context, source } }).refusals;
}

/**
 * Reads what a plan stands on and what could not be told before it was made: the bridges and storages of the node,
 * pools, the volumes that it attaches, snapshots. Undefined: it stands on nothing of that, and nothing was read.
 */
async function factsFor(
  run: Run,
  spec: MachineSpec,
  have: ObservedMachine,
  plan: MachinePlan,
): Promise<PlanFacts | undefined> {
  const guest = have.kind === 'present' || have.kind === 'adoptable' ? have.guest : undefined;
  const isJudged = plan.refusals.length > 0 || (plan.actions.length === 0 && plan.waiting.length === 0);
  if (!isJudged && guest && plan.actions.some(({ kind }) => kind === 'destroy'))
    return factsOfDestroy(run, guest);
  if (isJudged || !needsMore(plan, guest)) return undefined;
  const node = plan.actions.flatMap(action => ('node' in action ? [action.node] : []))[0] ?? guest?.node;
  if (guest && node !== undefined) await run.reading.learn([node]);
  const pool = spec.pool !== undefined && spec.pool !== guest?.pool;
  const copied = plan.actions.find(
    action => action.kind === 'clone' && action.params['snapname'] !== undefined,
  );
  const attached = newVolumes(spec, guest);
  const seesAll = maySeeAllGuests(run.cluster);
  const [pools, volumes, snapshots, sourceSnapshots, volumeUse] = await Promise.all([
    pool ? ifSeen(listPools(run.pve)) : undefined,
    node === undefined ? undefined : volumesOf(run, node, storagesNamed(plan, guest)),
    guest && touchesVolumes(plan, guest) ? ifSeen(keptBySnapshots(run, guest)) : undefined,
    copied?.kind === 'clone' ? ifSeen(listSnapshots(run.pve, copied.source)) : undefined,
    attached.length === 0 ? undefined : useOfVolumes(run.pve, attached, { own: guest?.vmid, seesAll }),
  ]);
  return {
    ...(pools ? { pools } : {}),
    ...(volumes ? { volumes } : {}),
    ...(snapshots ? { snapshots } : {}),
    ...(volumeUse ? { volumeUse } : {}),
    ...(sourceSnapshots ? { sourceSnapshots: sourceSnapshots.map(({ name }) => name) } : {}),
  };
}

/** What this run has made has its disks. */
async function goneOf(
  run: Run,
  have: ObservedMachine,
  plan: MachinePlan,
  { isMade, toldGone = [] }: PlanContext,
): Promise<string[]> {
  const isJudged = plan.refusals.length > 0 || plan.actions.some(({ kind }) => kind === 'destroy');
  if (isJudged || !('guest' in have) || (isMade === true && toldGone.length === 0)) return [];
  const isUnfinished = have.kind === 'present' && have.unfinished;
  return goneVolumes(run, have.guest, { ...plan, isUnfinished, toldGone });
}

/** What goes with a guest that is destroyed, besides what its configuration tells, and who would miss it. */
async function factsOfDestroy(run: Run, guest: ObservedGuest): Promise<PlanFacts> {
  const listedSnapshots = await listSnapshots(run.pve, guest);
  const usedByOthers = await othersUsing(run, guest, lossesOf(guest, listedSnapshots));
  return { listedSnapshots, usedByOthers };
}

/** The volumes that a spec names to be attached as they are and that its guest does not have, each with its number. */
export function newVolumes(
  { disks = [] }: Pick<MachineSpec, 'disks'>,
  guest: ObservedGuest | undefined,
): { volume: string; number: number | undefined }[] {
  const there = Object.entries({ ...guest?.current, ...guest?.pending }).flatMap(([key, text]) =>
    busOf(key) === undefined ? [] : [readDrive(text ?? '').file],
  );
  return disks.flatMap(({ existingVolume: volume }) =>
    volume === undefined || there.includes(volume) ? [] : [{ volume, number: ownerOfVolume(volume) }],
  );
}

/** A plan that only writes what is live for sure, or moves nothing but the place, stands on the guest alone. */
function needsMore({ actions, waiting }: MachinePlan, guest: ObservedGuest | undefined): boolean {
  if (guest === undefined) return actions.length > 0 || waiting.length > 0;
  return (
    actions.some(action => isDemanding(action, guest)) ||
    (waiting.length > 0 && Object.keys(guest.pending).some(isOnNode))
  );
}

function isDemanding(action: Action, { power }: ObservedGuest): boolean {
  if (action.kind === 'configure') {
    const keys = [...Object.keys(action.set), ...action.delete];
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

/** Whether a plan attaches a volume as it is, moves one, or deletes one: then more than its guest decides it. */
export function standsOnVolumes(plan: MachinePlan, guest: ObservedGuest | undefined): boolean {
  return storagesNamed(plan, guest).length > 0 || (guest !== undefined && touchesVolumes(plan, guest));
}

/** The storages of volumes that are to be attached as they are. */
function storagesNamed({ actions }: MachinePlan, guest: ObservedGuest | undefined): string[] {
  const written = actions.flatMap(action => {
    if (action.kind === 'configure') return Object.entries(action.set);
    return action.kind === 'create' ? Object.entries(action.params) : [];
  });
  const there = Object.values({ ...guest?.current, ...guest?.pending }).map(
    text => readDrive(text ?? '').file,
  );
  return written.flatMap(([key, text]) => {
    const volume = busOf(key) === undefined ? undefined : existingVolume(String(text));
    return volume === undefined || there.includes(volume) ? [] : [volume.slice(0, volume.indexOf(':'))];
  });
}

async function volumesOf(run: Run, node: string, storages: string[]): Promise<PlanFacts['volumes']> {
  const known = run.cluster.nodes.find(({ name }) => name === node)?.storages;
  const wanted = [...new Set(storages)].filter(name => known?.some(one => one.name === name && one.active));
  const lists = await Promise.all(wanted.map(name => ifSeen(listVolumes(run.pve, node, name))));
  const rows = wanted.flatMap((name, index) => {
    const list = lists[index];
    return list === undefined ? [] : [[name, list.map(({ volid }) => volid)] as const];
  });
  return rows.length === 0 ? undefined : Object.fromEntries(rows);
}

/** Whether a volume leaves its storage or is deleted: Proxmox does neither to one that a snapshot holds. */
function touchesVolumes({ actions }: MachinePlan, { current, mark }: ObservedGuest): boolean {
  const isDeleted = (key: string): boolean => mark?.g?.includes(readDrive(current[key] ?? '').file) === true;
  const isGoing = (key: string): boolean =>
    Object.entries(mark?.d ?? {}).some(([name, slot]) => slot === key && mark?.x?.includes(name) === true);
  return actions.some(
    action =>
      action.kind === 'move-disk' ||
      (action.kind === 'configure' && action.delete.some(key => isDeleted(key) || isGoing(key))),
  );
}

async function keptBySnapshots(run: Run, guest: GuestAddress): Promise<KeptSnapshot[]> {
  const list = await listSnapshots(run.pve, guest);
  return Promise.all(
    list.map(async ({ name }) => ({ name, config: await readSnapshot(run.pve, guest, name) })),
  );
}
