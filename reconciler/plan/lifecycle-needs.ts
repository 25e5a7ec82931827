import { isImported, type DiskSpec, type MachineSpec } from '../../spec';
import { type Action, type Refusal, makesGuest } from '../action';
import { isOwnVolume } from '../guest/drive';
import { isConfigKey } from '../guest/key-kinds';
import { actionNeeds, isoRemoval } from '../privileges/action-needs';
import { onGuest, onPath, type Need, type Subject } from '../privileges/need';
import type { PlanContext } from '../machine/plan-context';
import { planCreate } from './create';
import type { Planned } from './planned';
import { needsOf, newDataPlace, placeOf, stepsOf, withSource } from './preflight';

/**
 * What it takes to make a machine, to write all that it says once more, to change what it says, to start, stop and
 * destroy it, to take and leave its snapshots, to remove the files that were made for it, and to read the quorum.
 * `planned`: its making from nothing. Each need with one way, on the path where it is best given. Pure.
 */
export function lifecycleNeeds(planned: Planned): Need[] {
  const { cluster, place } = planned;
  const source = place?.source;
  // a file that is there now may be gone when the machine is made anew
  const steps = stepsOf(planned).map(step =>
    step.action.kind === 'fetch-image' ? { ...step, action: { ...step.action, isThere: false } } : step,
  );
  const make = steps.find(({ action }) => makesGuest(action));
  if (make === undefined) return [];
  const { subject } = make;
  const stage = { subject, config: {}, cluster, source: undefined, isOff: false };
  const needs = [
    ...needsOf(planned, steps),
    ...written(planned, make.action).flatMap(action => actionNeeds(action, stage)),
    ...changed(planned, subject),
    ...sourceToCome(planned, make.action),
    ...steps.flatMap(({ action }) => (action.kind === 'fetch-image' ? imageLeaves(action.storage) : [])),
    onPath('the quorum', '/', 'Sys.Audit'),
    ...(source === undefined ? [] : [onPath('reading its source', `/vms/${source.vmid}`, 'VM.Audit')]),
  ];
  return needs.map(({ what, ways: [way] }) => ({
    what,
    ways: way === undefined ? [] : [{ ...way, path: anyNode(placeOf(way.path, planned), planned) }],
  }));
}

/** The same of a spec, wherever it is placed now; or why it is not placed. */
export function lifecycleOf(spec: MachineSpec, context: PlanContext): { needs: Need[]; refusals: Refusal[] } {
  const { facts } = context;
  const { cluster } = facts;
  const place = facts.ask('place');
  if (cluster === undefined || place === undefined) return { needs: [], refusals: [] };
  if ('machine' in place) return { needs: [], refusals: place.refusals };
  const read = withSource(place, facts);
  // what is there now is no matter of rights
  const plan = planCreate(spec, read, { ...context, facts: facts.withoutAsking() });
  const planned = { spec, plan, have: { kind: 'absent' } as const, cluster, context, place: read };
  return { needs: lifecycleNeeds(planned), refusals: plan.refusals };
}

/** A machine whose node is not fixed may go to another one next time. */
function anyNode(path: string, { spec }: Planned): string {
  return spec.node === undefined && path.startsWith('/nodes/') ? '/nodes' : path;
}

/** What is cloned may be a machine or an image of the same desired state that is still to be made. */
function sourceToCome({ cluster }: Planned, make: Action): Need[] {
  if (make.kind !== 'clone' || cluster.guests.some(({ vmid }) => vmid === make.source.vmid)) return [];
  return [onPath('cloning what is still to be made', '/vms', 'VM.Clone')];
}

/** All that it says, written once more; its start, which needs what its stop needs; its end. */
function written({ plan }: Planned, make: Action): Action[] {
  const params = make.kind === 'create' ? Object.entries(make.params) : [];
  const settings = params.filter(([key]) => isConfigKey(key)).map(([key, value]) => [key, String(value)]);
  const set = { description: plan.machine, ...Object.fromEntries(settings) };
  return [
    { kind: 'configure', set, delete: [], slow: false, verify: false },
    { kind: 'power', to: 'running' },
    { kind: 'destroy' },
  ];
}

/** What every machine may change in its life, by what it is about. */
const CHANGES: readonly (readonly [what: string, privilege: string])[] = [
  ['changing its tags and options', 'VM.Config.Options'],
  ['changing its CPUs', 'VM.Config.CPU'],
  ['changing its memory', 'VM.Config.Memory'],
  ['changing its disks', 'VM.Config.Disk'],
  ['changing its networks', 'VM.Config.Network'],
  ['its snapshots', 'VM.Snapshot'],
];

/** What the changes of its life ask for: of what every machine has, and of what this spec says. */
function changed(planned: Planned, subject: Subject): Need[] {
  const { spec, cluster } = planned;
  const { pool, node, cloudInit } = spec;
  const data = newDataPlace(planned);
  return [
    ...CHANGES.map(([what, privilege]) => onGuest(what, subject, privilege)),
    ...(cloudInit === undefined
      ? []
      : ['VM.Config.Cloudinit', 'VM.Config.CDROM'].map(privilege =>
          onGuest('changing its cloud-init data', subject, privilege),
        )),
    ...(data === undefined ? [] : [isoRemoval('removing its cloud-init data', data.storage)]),
    ...(pool === undefined
      ? []
      : actionNeeds({ kind: 'set-pool', pool }, { subject, ...OF_NOTHING, cluster })),
    ...(node !== undefined && cluster.nodes.length > 1 ? [onGuest('moving it', subject, 'VM.Migrate')] : []),
    ...((spec.disks ?? []).some(isOfAnother(subject))
      ? [onPath('seeing who else uses its volumes', '/vms', 'VM.Audit')]
      : []),
    ...(data === undefined ? [] : [onPath('seeing who else uses its cloud-init data', '/vms', 'VM.Audit')]),
    ...(isImported(spec.image) ? [onPath('seeing who uses its image', '/vms', 'VM.Audit')] : []),
  ];
}

/** Whether a disk is a volume that does not carry the number of the machine: somebody else may use it. */
function isOfAnother({ vmid }: Subject): (disk: DiskSpec) => boolean {
  return ({ existingVolume: volume }) => volume !== undefined && !isOwnVolume(volume, vmid);
}

const OF_NOTHING = { config: {}, isOff: false, source: undefined };

/** PVE: the file of an image goes as an ISO does. Only `gc` removes it. */
function imageLeaves(storage: string): Need[] {
  return [isoRemoval('removing its image when nothing needs it (gc)', storage)];
}
