import type { DiskSpec, LostVolume, MachineSpec } from '../../../spec';
import { untouched, type Action, type Objection, type Refusal, type Warning } from '../../action';
import { asWord } from '../../guest/as-word';
import { isDisk, readDrive } from '../../guest/drive';
import { isDriveKey, isUnusedKey } from '../../guest/key-kinds';
import { busOf, DRIVE_SLOTS } from '../../guest/slot-names';
import { generationOf } from '../../guest/generation';
import { keepOrLetGo } from '../../guest/take-back';
import { wantsDataIso } from '../../machine/wanted-data-iso';
import { passwordVersionOf } from '../../machine/parts/cloud-init/cloud-init';
import type { HeldSnapshot } from '../../machine/facts';
import type { Scene } from '../../machine/scene';
import type { ObservedGuest } from '../../observed';
import { lostByPending } from '../brings-pending';
import { lossesList } from '../losses-text';
import { notWhole } from './plan-snapshots';
import { revertAsked } from './revert-target';

type RefusalMaker = (why: string, detail: string, remedy: string) => Refusal[];

/** Why a guest cannot go back to a snapshot, or would not come out right. */
export function revertProblems(scene: Scene, to: string, found: HeldSnapshot | undefined): Refusal[] {
  const { spec, vmid, context, running } = scene;
  const refused: RefusalMaker = (...said) => [{ machine: spec.id, ...untouched(...said) }];
  const list = context.facts.ask('snapshots');
  if (list === undefined) return [];
  // asked for by the verb, there is no field to remove
  const isField = context.wanted.revert === undefined;
  if (found === undefined) return notFound(refused, to, { vmid, list, isField });
  if (found.isPartial)
    return refused(
      'partial-snapshot',
      notWhole(to, vmid),
      isField ? 'Name another one, or remove revertTo.' : 'Name another one.',
    );
  if (generationOf(running) === undefined)
    return refused(
      'no-generation',
      `the vmgenid of VM ${vmid} is switched off: nobody could tell later whether it went back.`,
      `Roll it back in Proxmox (qm rollback ${vmid} ${to})${isField ? ' and remove revertTo' : ''}.`,
    );
  if (context.done.isReverted) return [{ machine: spec.id, ...unshown(vmid, to) }];
  const { password, missing = [] } = context.wanted.secrets;
  // an ISO of ours holds the password of now, and comes back with it
  if (passwordVersionOf(spec) !== undefined && !wantsDataIso(scene) && password === undefined)
    return refused(
      'secret-missing',
      `Going back brings an old password, and there is none to send: ${missing.join('; ')}.`,
      'Give what is named there, where plans and applies run, then run again.',
    );
  const other = otherDisks(scene, to);
  if (other.length === 0) return [];
  const names = other.map(({ name, file }) => `"${name}" (${file})`).join(', ');
  return refused(
    'other-disks',
    `snapshot '${to}' of VM ${vmid} knows other disks: ${names}. Going back would take them off.`,
    `${withoutDisks(spec, other)}; or roll back in Proxmox (qm rollback ${vmid} ${to}) and attach them again.`,
  );
}

/** By the verb nobody sees a plan before: what somebody else left waiting takes no disk along, as with `power`. */
export function lostUnasked(
  { spec, context }: Scene,
  guest: ObservedGuest,
  actions: readonly Action[],
): Refusal[] {
  const lost = context.wanted.revert === undefined ? [] : lostByPending(guest, { actions: [...actions] });
  if (lost.length === 0) return [];
  const { vmid, node } = guest;
  const detail = `going back would also delete ${lossesList({ volumes: lost, snapshots: [] })} of VM ${vmid} on ${node}: somebody has left that waiting in Proxmox.`;
  return [{ machine: spec.id, ...untouched('more-is-lost', detail, keepOrLetGo(guest, lost)) }];
}

/**
 * Real Proxmox draws a new vmgenid at each rollback, and names the snapshot as parent (behaviour.md §14.5). Going back once
 * more would lose what the disks hold since.
 */
function unshown(vmid: number, to: string): Objection {
  return {
    why: 'revert-unshown',
    detail: `Proxmox ended the rollback of VM ${vmid} to '${to}' well, and its configuration does not show it (a new vmgenid, and ${to} as parent). It is not rolled back twice.`,
    remedy: 'Look at what its disks hold before you run this again: the next run rolls it back once more.',
    changed: 'before',
  };
}

/** What the last apply was told of a disk decides whether its volume goes with it: to keep it takes an apply of its own. */
function withoutDisks(
  { revertTo }: MachineSpec,
  disks: readonly Pick<DiskSpec, 'name' | 'onRemove'>[],
): string {
  const deleted = disks.filter(({ onRemove }) => onRemove === 'delete').map(({ name }) => `"${name}"`);
  if (deleted.length === 0) return 'Remove them from disks and apply that first';
  const without = revertTo === undefined ? '' : ', without revertTo';
  return `Set onRemove of ${deleted.join(', ')} to keep and apply that${without}, or the volume is deleted; then remove them from disks and apply again, before it goes back`;
}

function notFound(
  refused: RefusalMaker,
  to: string,
  { vmid, list, isField }: { vmid: number; list: readonly HeldSnapshot[]; isField: boolean },
): Refusal[] {
  const names = list.map(({ name }) => name).join(', ');
  const has = names === '' ? 'it has none' : `it has ${names}`;
  const byField =
    names === '' ? 'Remove revertTo, or take it first.' : 'Name one that it has, or remove revertTo.';
  const byVerb = names === '' ? 'Take one first: snapshot create.' : 'Name one that it has.';
  return refused(
    'no-snapshot',
    `VM ${vmid} has no snapshot '${to}' to go back to: ${has}.`,
    isField ? byField : byVerb,
  );
}

/** The disks of the spec whose volume the snapshot does not have in their slot: the names would mean others then. */
function otherDisks({ spec, slots, running, context }: Scene, snapshot: string) {
  const kept = context.facts.ask('snapshotConfig', snapshot);
  if (kept === undefined) return [];
  return (spec.disks ?? []).flatMap(({ name, onRemove }) => {
    const slot = slots.disks[name] ?? '';
    const { file } = readDrive(running[slot]);
    return running[slot] === undefined || readDrive(kept[slot]).file === file
      ? []
      : [{ name, file, onRemove }];
  });
}

/**
 * Disks that are none of the spec's, which the snapshot does not have: Proxmox takes them off, and keeps them as unusedN.
 * `lost`: those that are deleted before it goes back.
 */
export function takenOff(scene: Scene, lost: readonly LostVolume[]): Warning[] {
  const { spec, slots, running, context, vmid } = scene;
  const snapshot = revertAsked(scene) ?? '';
  const found = context.facts.ask('snapshots')?.some(({ name }) => name === snapshot);
  const kept = found === true ? context.facts.ask('snapshotConfig', snapshot) : undefined;
  if (kept === undefined) return [];
  const own = new Set((spec.disks ?? []).map(({ name }) => slots.disks[name]));
  const files = new Set(Object.values(kept).map(text => readDrive(text).file));
  const taken = new Set(Object.keys(kept));
  return Object.entries(running).flatMap(([key, text]) => {
    if (!isDriveKey(key) || isUnusedKey(key) || !isDisk(text) || own.has(key)) return [];
    const { file } = readDrive(text);
    if (files.has(file) || lost.some(({ volume }) => volume === file)) return [];
    const slot = freeSlot(key, taken);
    const again =
      slot === undefined
        ? `No other slot is free then: ${key} holds what the snapshot has there.`
        : `It can be attached again (qm set ${vmid} --${slot} ${asWord(file, 'VOLUME')})${slot === key ? '' : `, and not in ${key}: that holds what the snapshot has there`}.`;
    const told = `snapshot '${snapshot}' of VM ${vmid} does not have ${file}, which somebody attached since as ${key}: going back takes it off. It stays as an unused disk of the machine. ${again}`;
    if (slot !== undefined) taken.add(slot);
    return [{ about: 'other-disks', text: told }];
  });
}

/** Its own slot, else another one of its bus, else of any: a write to one that is taken would detach what is there. */
function freeSlot(key: string, taken: ReadonlySet<string>): string | undefined {
  const others = DRIVE_SLOTS.filter(slot => busOf(slot) === busOf(key));
  return [key, ...others, ...(others.length > 0 ? DRIVE_SLOTS : [])].find(slot => !taken.has(slot));
}
