import { idsOf } from '../../mark/identity';
import type { MachineSpec } from '../../../spec';
import { liveChange, untouched, type Action, type Change, type Refusal } from '../../action';
import { readDescription } from '../../mark/description';
import { sameMark, type Mark } from '../../mark/mark';
import type { HeldSnapshot } from '../../machine/facts';
import type { PlanContext, WantedSnapshot } from '../../machine/plan-context';
import { isDisk, readDrive } from '../../guest/drive';
import { isDriveKey } from '../../guest/key-kinds';
import type { Configuration } from '../../guest/configuration';
import { markOfSnapshot, snapshotDescription } from './snapshot-mark';

/** What is to be done to the snapshots of one machine. */
export interface SnapshotSteps {
  actions: Action[];
  changes: Change[];
  refusals: Refusal[];
}

/** The guest that the snapshots are of. `uuid`: the one that our mark says, or will say. */
interface Of {
  vmid: number;
  lock: string | undefined;
  uuid: string;
  /** Its configuration; absent: it is to be made. */
  current?: Configuration;
  /** Its disks move first: whether it can have snapshots then, the next round asks. */
  isMoving?: boolean;
}

/**
 * What the wanted snapshots of a machine take: those that lack are taken, those that we have taken are described anew
 * where the words differ. One of the name that somebody else has taken is there, and is left as it is.
 */
export function planSnapshots(
  spec: Pick<MachineSpec, 'id' | 'formerIds'>,
  guest: Of,
  { wanted, facts }: PlanContext,
): SnapshotSteps {
  const steps: SnapshotSteps = { actions: [], changes: [], refusals: [] };
  const { snapshots = [], token } = wanted;
  const { owner } = wanted.identity;
  if (snapshots.length === 0) return steps;
  const list = facts.ask('snapshots');
  const identity = { owner, ids: idsOf(spec) };
  for (const one of snapshots) {
    const field = `snapshots[${one.name}]`;
    const there = list?.find(({ name }) => name === one.name);
    const whose = { owner, machine: spec.id, uuid: guest.uuid, token };
    if (there === undefined || there.isPartial) {
      if (there && guest.lock === undefined) steps.refusals.push(partial(spec.id, there, guest.vmid));
      steps.actions.push(takes(one, snapshotDescription(one, whose)));
      steps.changes.push(liveChange(field, undefined, one.includeMemory ? 'with memory' : 'taken'));
      continue;
    }
    const mark = markOfSnapshot(there, identity, guest.uuid);
    const other = othersSnapshot(spec.id, guest.vmid, one, mark);
    if (other) {
      steps.refusals.push(other);
      continue;
    }
    const description = mark && snapshotDescription(one, whose, mark);
    if (description === undefined || isSame(description, there.description)) continue;
    const { name, taken } = there;
    steps.actions.push({ kind: 'describe-snapshot', name, taken, description });
    const [from, to] = [there.description, description].map(text => readDescription(text).text);
    steps.changes.push(liveChange(`${field}.description`, from, to));
  }
  const takesOne = steps.actions.some(({ kind }) => kind === 'take-snapshot');
  if (takesOne && guest.isMoving !== true && facts.ask('canSnapshot') === false)
    steps.refusals.push(impossible(spec.id, guest.vmid, suspectsIn(guest.current)));
  return steps;
}

function takes({ name, includeMemory }: WantedSnapshot, description: string): Action {
  return { kind: 'take-snapshot', name, memory: includeMemory ?? false, description };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [readDescription(one), readDescription(other)];
  if (a.isDamaged || b.isDamaged) return false;
  return a.text.trimEnd() === b.text.trimEnd() && sameMark(a.mark, b.mark);
}

function partial(machine: string, { name }: HeldSnapshot, vmid: number): Refusal {
  const remedy = `Delete it on its node (qm delsnapshot ${vmid} ${name} --force), then run again.`;
  return { machine, ...untouched('partial-snapshot', notWhole(name, vmid), remedy) };
}

/** PVE: a snapshot that was cut short keeps its name, and nobody can go back to it (recording g6). */
export function notWhole(name: string, vmid: number): string {
  return `snapshot '${name}' of VM ${vmid} is not whole: it was cut short while it was taken or deleted.`;
}

/** The disks that may be why a guest cannot have snapshots: any storage keeps those of qcow2. Undefined: there is none. */
export function suspectsIn(config: Configuration = {}): string | undefined {
  const found = Object.entries(config).flatMap(([slot, line]) => {
    const text = String(line);
    if (!isDriveKey(slot) || !isDisk(text)) return [];
    const { storage, format } = readDrive(text);
    return storage === undefined || format === 'qcow2' ? [] : [`${slot} is ${format} on ${storage}`];
  });
  if (found.length === 0) return undefined;
  return found.length === 1 ? found[0] : `Proxmox does not say which disk it is: ${found.join(', ')}`;
}

/** The refusal of a snapshot on storage that has none. */
export function impossible(machine: string, vmid: number | undefined, drives?: string): Refusal {
  const whose = vmid === undefined ? 'The machine' : `VM ${vmid}`;
  const why = drives ?? 'at least one of its disks lies where Proxmox cannot keep snapshots';
  const remedy =
    'Put its disks on LVM-thin, ZFS, RBD or BTRFS, or as qcow2 on a directory or NFS; or remove the snapshot.';
  return { machine, ...untouched('no-snapshots', `${whose} cannot have snapshots: ${why}.`, remedy) };
}

/** Why a snapshot that is there is not the one that Terraform wants; undefined: it is. `mark`: ours, where we took it. */
function othersSnapshot(
  machine: string,
  vmid: number,
  { name, entry, mustBeOurs }: WantedSnapshot,
  mark: Mark | undefined,
): Refusal | undefined {
  const of = `snapshot '${name}' of VM ${vmid}`;
  if (mustBeOurs === true) {
    const taker = otherTaker(mark);
    const ours = `that one: pve-reconciler snapshot delete ${machine} ${name} --spec FILE`;
    const remedy = `Give the snapshot another name, or delete ${mark ? ours : 'the one that is there'}.`;
    if (taker !== undefined) return { machine, ...untouched('exists', `${of} is there, ${taker}.`, remedy) };
  }
  if (entry === undefined || mark?.entry === undefined || mark.entry === entry) return undefined;
  const remedy = 'Use that state, or give the snapshot another name.';
  return { machine, ...untouched('other-state', `${of} belongs to another Terraform state.`, remedy) };
}

/** Who has taken it, where that was not Terraform: it would go with the construct. Terraform's own has an entry. */
function otherTaker(mark: Mark | undefined): string | undefined {
  if (mark === undefined) return 'and somebody else took it';
  if (mark.guard !== undefined) return 'and was taken before a change of the machine (snapshotBeforeChange)';
  return mark.entry === undefined ? 'and Terraform did not take it' : undefined;
}
