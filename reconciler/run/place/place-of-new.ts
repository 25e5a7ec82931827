import { ALWAYS, isImported, type FleetMachine, type MachineSpec } from '../../../spec';
import { emptyPlan, type GuestPlace, type ImageFile, type MachinePlan, type Objection } from '../../action';
import { ifReadable } from '../../observe/if-allowed';
import type { ObservedGuest } from '../../observed';
import { NOT_THERE_YET } from '../../placement/source';
import type { Run } from '../run';
import type { Wanted } from '../wanted';
import type { PlaceGiven, Places } from './places';
import type { CloneSource, PlaceOfNew } from '../../machine/facts';

/**
 * Chooses node, number and source for a machine that is not there yet, or says why there is none. Reads only. `vmidOf`:
 * asked once it has a node. `gone`: the guest that is destroyed before.
 */
export async function placeOfNew(
  run: Run,
  { spec, identity, node: planned }: Wanted,
  vmidOf: () => number | undefined,
  gone?: ObservedGuest,
): Promise<PlaceOfNew | MachinePlan> {
  const place = await nodeOfNew(run.places, spec, { planned, gone });
  if ('machine' in place) return place;
  const vmid = vmidOf();
  const image = await imageOn(run, spec, place.node);
  if (image && 'why' in image) return refusing(spec.id, image);
  const source = place.source && numbered(run, identity.owner, place.source);
  if (vmid === undefined || source === 'none') return noFreeId(spec, run);
  return { ...place, vmid, ...(source && { source }), ...(image && { image }) };
}

/** The file that it is imported from. */
async function imageOn(
  { cluster, images }: Run,
  { image }: MachineSpec,
  node: string,
): Promise<ImageFile | Objection | undefined> {
  return image && isImported(image) ? images.find(cluster, image, node) : undefined;
}

/** A source that is to be made in the same run has the number that is chosen for it. */
function numbered(
  { vmids, cluster, runningTasks }: Run,
  owner: string,
  source: CloneSource,
): CloneSource | 'none' {
  if (source.vmid !== 0) return source;
  const asker = { owner, id: source.name, isTemplate: source.template };
  const vmid = vmids.choose(cluster, { creates: runningTasks.creates, conflicts: 0 }, asker);
  return vmid === undefined ? 'none' : { ...source, vmid };
}

type NodeOfNew = Omit<PlaceOfNew, 'vmid'>;

async function nodeOfNew(
  places: Places,
  machine: MachineSpec,
  given: PlaceGiven,
): Promise<NodeOfNew | MachinePlan> {
  const choice = await places.placeOf(machine, given);
  if ('why' in choice)
    return choice.why === NOT_THERE_YET ? later(machine.id, choice) : refusing(machine.id, choice);
  const { node, source, moves, reasons } = choice;
  const { reading } = places;
  if (!source) return { node, reasons };
  // PVE: for some ten seconds the listing does not tell that a guest is a template (behaviour.md §10)
  const isUntold = machine.image?.machine !== undefined && !source.template;
  const decides = namesStorage(machine) || isUntold;
  const read =
    choice.config ??
    (await (decides ? reading.configIfThere(source) : ifReadable(reading.configIfThere(source))));
  const { vmid, name = String(vmid) } = source;
  const template = source.template || read?.['template'] === '1';
  const { snapshot } = machine.image ?? {};
  // a snapshot brings another configuration than the one that its guest has now
  const config = snapshot === undefined ? read : await reading.snapshotIfSeen(source, snapshot);
  const isComing = !reading.isThere(source);
  const from = { node: source.node, vmid, name, template, ...(config ? { config } : {}), isComing };
  const placed = { source: from, reasons };
  return moves ? { ...placed, node: source.node, destination: node } : { ...placed, node };
}

/** The template that a plan chose for a new machine, with its configuration where that decides how it is cloned. */
export async function knownSource(
  places: Places,
  machine: MachineSpec,
  { node, vmid, goesTo }: GuestPlace & { goesTo: string },
): Promise<CloneSource> {
  const isRead = namesStorage(machine) || node !== goesTo;
  const config = isRead ? await places.reading.configOf({ node, vmid }) : undefined;
  return { node, vmid, name: String(vmid), template: true, ...(config ? { config } : {}) };
}

/** Whether a volume that the source brings may have to be elsewhere: then the source decides how it is cloned. */
function namesStorage({ disks = [], efiDisk, tpm }: MachineSpec): boolean {
  const brought = disks.filter(({ name, slot }) => name === 'root' || slot !== undefined);
  const said = [
    ...brought.flatMap(({ storage, format }) => [storage, format]),
    efiDisk?.storage,
    tpm?.storage,
  ];
  return said.some(word => word !== undefined);
}

/** The plan of a machine for which no number is left. */
function noFreeId({ id }: FleetMachine, { cluster, clusterSpec }: Run): MachinePlan {
  const { from, to } = clusterSpec.vmidRange ?? ALWAYS.cluster.vmidRange;
  const { lower, upper } = cluster.nextId;
  const range = `${Math.max(from, lower)} to ${Math.min(to, upper)}`;
  const detail =
    Math.max(from, lower) > Math.min(to, upper)
      ? `vmidRange (${from} to ${to}) lies outside the datacenter's own range (${lower} to ${upper}).`
      : `no number is free from ${range}.`;
  const remedy = 'Widen vmidRange of the cluster, or give a vmid.';
  return refusing(id, { why: 'no-vmid', detail, remedy, changed: 'nothing' });
}

/** The plan of a machine that can be planned only once its source is there. */
function later(machine: string, { detail }: Objection): MachinePlan {
  return { ...emptyPlan(machine), waitsFor: [detail] };
}

function refusing(machine: string, why: Objection): MachinePlan {
  return { ...emptyPlan(machine), refusals: [{ machine, ...why }] };
}
