import { inOneUnit } from '../../spec';
import { warned, type Action, type ActionOf, type MachinePlan, type Warning } from '../action';
import { propertiesOf, propertyText } from '../guest/configuration';
import { readDrive } from '../guest/drive';
import { isDriveKey } from '../guest/key-kinds';
import { ownUnusedVolumes, volumesToFree } from '../guest/unused-volumes';
import { goesWithVolume, waitingForProtection } from '../machine/leaving-volumes';
import { destinationOf } from '../machine/problems/migration-problems';
import { effectOn } from '../machine/live-or-restart';
import { knownVolume, ownVolumeIn } from '../machine/remembered-volumes';
import type { Scene } from '../machine/scene';
import { isosOf, wantedIso, wantsDataIso } from '../machine/wanted-data-iso';
import type { ObservedGuest } from '../observed';
import { unreadRules } from './entries-lost';
import { noWayBack } from './make-template';
import { newInstance } from './new-instance';
import { heldByTerraform, otherSource } from './other-source';
import { othersPending } from './others-pending';
import { nodeOfNobody } from './pool-and-node';

/** What is done all the same, and a person should know before. */
export function warningsOf(
  scene: Scene,
  guest: ObservedGuest,
  actions: readonly Action[],
  restart: Pick<MachinePlan, 'restart'>,
): Pick<MachinePlan, 'warnings'> {
  const writes = actions.filter(action => action.kind === 'configure');
  return warned(
    nodeOfNobody(scene, guest),
    lackOfRoom(scene, actions, guest.node),
    brokenReplication(scene, guest),
    movedAlong(scene, guest),
    doubtfulVolumes(scene, writes),
    leftVolumes(scene, writes),
    volumesMadeAnew(scene, writes),
    stateMadeAnew(scene, writes),
    volumesThatWait(scene),
    leftIsos(scene),
    repluggedCards(scene, guest, writes),
    newInstance(scene, guest, writes),
    othersPending(scene, guest, { actions: [...actions], ...restart }),
    returningCards(scene),
    noWayBack(scene.spec, guest, scene.origin),
    otherSource(scene),
    actions.length > 0 ? heldByTerraform(scene) : [],
    actions.some(({ kind }) => kind === 'leave-ha') ? unreadRules(scene.context.facts.ask('haRules')) : [],
  );
}

type ConfigureAction = ActionOf<'configure'>;

/** PVE: a guest that is off goes anywhere, and its jobs are kept for the nodes of before (QemuMigrate.pm, as read). */
function brokenReplication(scene: Scene, guest: ObservedGuest): Warning[] {
  const to = destinationOf(scene, guest);
  if (to === undefined || scene.origin === 'cloned' || guest.lock !== undefined) return [];
  const { replicatedTo } = scene.context.facts.ask('migration') ?? {};
  if (replicatedTo === undefined || replicatedTo.includes(to)) return [];
  const nodes = replicatedTo.join(' and ');
  const text = `replication copies its disks to ${nodes}, and not to ${to}: once it is there, its jobs fail until they are made anew, and the copies on ${nodes} stay as they are.`;
  return [{ about: 'replication', text }];
}

/** HA moves with a guest what a rule keeps with it, also guests of others (ha-manager, as read). */
function movedAlong(scene: Scene, guest: ObservedGuest): Warning[] {
  const to = destinationOf(scene, guest);
  if (to === undefined || scene.origin === 'cloned' || guest.lock !== undefined) return [];
  const { companions = [] } = scene.context.facts.ask('migration') ?? {};
  if (companions.length === 0) return [];
  const text = `a rule of HA keeps it together with ${companions.join(' and ')}: HA moves ${companions.length === 1 ? 'that one' : 'those'} to ${to} too.`;
  return [{ about: 'moved along by HA', text }];
}

const GIB = 2 ** 30;

/** Disks that are to take more room than their storage has left: most storages take them, and they fail when they are written to. */
function lackOfRoom(scene: Scene, actions: readonly Action[], on: string): Warning[] {
  const node = scene.context.facts.cluster?.nodes.find(({ name }) => name === on);
  const wanted = new Map<string, number>();
  for (const { storage, bytes } of actions.flatMap(action => taken(scene, action)))
    wanted.set(storage, (wanted.get(storage) ?? 0) + bytes);
  return (node?.storages ?? node?.listedStorages ?? []).flatMap(({ name, available = Infinity }) => {
    const bytes = wanted.get(name) ?? 0;
    if (bytes <= available) return [];
    const [free, more] = inOneUnit(Math.floor(available / GIB) * GIB, bytes);
    const text = `its disks may take ${more} more of storage ${name}, which has ${free} free on ${on}: where it is full, they fail.`;
    return { about: `room on ${name}`, text };
  });
}

/** The room that an action takes, where that is known before: of new disks, and of those that grow. */
function taken({ next }: Scene, action: Action): { storage: string; bytes: number }[] {
  if (action.kind === 'resize') {
    const { storage, bytes: before } = readDrive(next[action.slot]);
    return storage === undefined || before === undefined ? [] : [{ storage, bytes: action.bytes - before }];
  }
  if (action.kind !== 'configure') return [];
  return Object.entries(action.set).flatMap(([key, line]) => {
    const { file, storage } = readDrive(line);
    const [, gib] = /^[^:]+:(\d+(?:\.\d+)?)$/.exec(file) ?? [];
    const isNew = isDriveKey(key) && storage !== undefined && gib !== undefined;
    return isNew ? [{ storage, bytes: Number(gib) * GIB }] : [];
  });
}

/** The disks that these writes take off, each with its slot. `isDeleted`: their volumes go with them. */
function disksTakenOff(scene: Scene, writes: readonly ConfigureAction[], isDeleted: boolean) {
  return Object.entries(scene.slots.goneDisks).filter(
    ([name, slot]) =>
      goesWithVolume(name, scene) === isDeleted && writes.some(write => write.delete.includes(slot)),
  );
}

/** Disks that go with their volume, where nothing tells whether somebody has put another volume into their slot. */
function doubtfulVolumes(scene: Scene, writes: readonly ConfigureAction[]): Warning[] {
  return disksTakenOff(scene, writes, true).flatMap(([name, slot]) => {
    const volume = ownVolumeIn(slot, scene);
    if (volume === undefined || knownVolume(name, scene) !== undefined) return [];
    const text = `disk ${name} leaves, and the volume that is in its slot is deleted: ${volume}. Nothing tells whether that is still its own, as the mark does not remember it. Look first, if somebody may have put another volume into ${slot}.`;
    return [{ about: `volume of ${name}`, text }];
  });
}

/** Disks that leave and whose volumes stay. */
function leftVolumes(scene: Scene, writes: readonly ConfigureAction[]): Warning[] {
  const { next, mark, vmid } = scene;
  return disksTakenOff(scene, writes, false).map(([name, slot]) => {
    const { file } = readDrive(next[slot]);
    const isRescued = mark?.deletedWithSpec?.includes(name) === true;
    const text = isRescued
      ? `disk ${name} is detached and its volume ${file} stays, unused: VM ${vmid} was rolled back, or restored from a backup, since the last apply, maybe for what is on it. Once nobody needs that, delete it by hand (qm set ${vmid} --delete unusedN, for the line that names it).`
      : `disk ${name} is detached and its volume ${file} stays, unused: a disk that comes back gets a new volume, unless it names this one as existingVolume.`;
    return { about: `volume left of ${name}`, text };
  });
}

/** New disks of a guest that has unused volumes: a person may take one of those for the disk. */
function volumesMadeAnew(
  { spec, slots, mark, next, running, vmid }: Scene,
  writes: readonly ConfigureAction[],
): Warning[] {
  const leaving = volumesToFree(mark, running);
  const unused = ownUnusedVolumes(next, vmid)
    .map(({ file }) => file)
    .filter(file => !leaving.includes(file));
  if (unused.length === 0) return [];
  return (spec.disks ?? []).flatMap(({ name, existingVolume }) => {
    const slot = slots.disks[name] ?? '';
    const isNew = existingVolume === undefined && next[slot] === undefined;
    if (!isNew || !writes.some(write => slot in write.set)) return [];
    const text = `disk ${name} gets a new volume. The unused disks of this guest (${unused.join(', ')}) are left alone. To use one of them, name it as existingVolume.`;
    return [{ about: `new volume of ${name}`, text }];
  });
}

/** The EFI variables and the TPM's state, where the guest has unused volumes: one of them may hold what is made anew. */
function stateMadeAnew({ spec, next, running, vmid }: Scene, writes: readonly ConfigureAction[]): Warning[] {
  const named = (spec.disks ?? []).map(({ existingVolume }) => existingVolume);
  const unused = ownUnusedVolumes(next, vmid)
    .filter(({ file }) => !named.includes(file))
    .map(({ slot, file }) => `${slot}, ${file}`);
  if (unused.length === 0) return [];
  return STATE_VOLUMES.flatMap(([slot, name]) => {
    const made = writes.flatMap(({ set }) => set[slot] ?? [])[0];
    if (made === undefined || next[slot] !== undefined || running[slot] !== undefined) return [];
    // without its version or type, PVE would take an old one
    const { format: _, size: __, ...rest } = propertiesOf(slot, made);
    const line = propertyText(slot, { ...rest, file: 'VOLUME' });
    const text = `${name} gets a new, empty volume. If somebody has taken the old one off, it is one of the unused (${unused.join('; ')}): attach that again before this is applied (qm set ${vmid} --${slot} ${line}), or what it holds is not used any more, such as keys of an encrypted disk.`;
    return [{ about: `new volume of ${slot}`, text }];
  });
}

const STATE_VOLUMES = [
  ['efidisk0', 'the EFI disk'],
  ['tpmstate0', "the TPM's state"],
] as const;

/** Volumes of disks that have left, and that Proxmox does not delete yet. */
function volumesThatWait(scene: Scene): Warning[] {
  return waitingForProtection(scene).map(({ file }) => {
    const text = `volume ${file} of a disk that left is still there, and is deleted once the machine is not protected any more: set protection to false for that. To keep it, name it as existingVolume of a disk.`;
    return { about: `volume that waits: ${file}`, text };
  });
}

/**
 * ISOs on shared storage that have the tag of the machine, and that neither its drive nor its mark knows: an upload that
 * no write followed, or the data of a mark that a snapshot brought back. No run removes them.
 */
function leftIsos(scene: Scene): Warning[] {
  const wanted = wantedIso(scene)?.volume;
  // which one is wanted is not known yet
  if (wanted === undefined && wantsDataIso(scene)) return [];
  const files = isosOf(scene)?.files ?? [];
  return files
    .filter(({ isUnclaimed, volume }) => isUnclaimed === true && volume !== wanted)
    .map(({ volume, node }) => {
      const text = `${volume} stays: neither the drive nor the mark of the machine knows it, and one of that name in another cluster with the same storage may use it. It may hold secrets. If there is none, and no snapshot names it: pvesm free ${volume} on ${node}.`;
      return { about: `ISO left: ${volume}`, text };
    });
}

/** PVE: what else changes of a card is changed while it stays plugged in (behaviour.md §4). */
const PLUGGED_AGAIN = ['model', 'macaddr', 'queues', 'mtu'];

/** The cards that a running guest loses for a moment: a live change, and yet felt. */
function repluggedCards(
  { slots, running }: Scene,
  { power }: ObservedGuest,
  writes: readonly ConfigureAction[],
): Warning[] {
  if (power !== 'running') return [];
  const effectOf = effectOn(running, true);
  return Object.entries(slots.networks).flatMap(([name, slot]) => {
    const old = propertiesOf(slot, running[slot]);
    const isReplugged = writes.some(({ set: { [slot]: text } }) => {
      if (text === undefined || running[slot] === undefined || effectOf(slot, text) !== 'live') return false;
      const next = propertiesOf(slot, text);
      return PLUGGED_AGAIN.some(property => old[property] !== next[property]);
    });
    if (!isReplugged) return [];
    const text = `card ${name} is unplugged and plugged in again while the guest runs: its connections over it break off.`;
    return [{ about: `card ${name} plugged again`, text }];
  });
}

/**
 * Cards that the machine had and that somebody took out. Proxmox draws a new address for each card that is written
 * without one (behaviour.md §4), and our mark remembers none.
 */
function returningCards({ spec, mark, slots, next, running, origin }: Scene): Warning[] {
  if (origin !== 'kept') return [];
  return (spec.networks ?? []).flatMap(({ name, macAddress }) => {
    const slot = slots.networks[name] ?? '';
    const isBack =
      mark?.networks?.[name] !== undefined && next[slot] === undefined && running[slot] === undefined;
    if (!isBack || macAddress !== undefined) return [];
    const text = `network card ${name} is not there any more, and comes back with a new MAC address, which Proxmox draws: what knows the old one (a lease, a rule of a firewall) does not know it. To choose it, say macAddress.`;
    return [{ about: `card ${name}`, text }];
  });
}
