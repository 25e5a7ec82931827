import type { MachineSpec } from '../../spec';
import { untouched, type Action, type Change, type Refusal, type Warning } from '../action';
import { disksNotRenamed } from '../guest/base-volume';
import { isDisk, isOwnVolume, readDrive } from '../guest/drive';
import { isDriveKey } from '../guest/key-kinds';
import type { HeldSnapshot } from '../machine/facts';
import type { Origin, PlanContext } from '../machine/plan-context';
import type { Mark } from '../mark/mark';
import type { ObservedCluster, ObservedGuest } from '../observed';
import { powerActions } from './power-actions';

/**
 * What comes last: starting or stopping, or making a template of the guest. PVE makes templates of guests that are off
 * (behaviour.md §6); one that was started is shut down first, and the next round does the rest.
 */
export function lastActions(
  spec: MachineSpec,
  { template, power }: Pick<ObservedGuest, 'template' | 'power'>,
  mark?: Pick<Mark, 'isRestarting'>,
): { actions: Action[]; changes: Change[] } {
  const last = powerActions(spec, power, mark);
  if (spec.asTemplate !== true || template) return last;
  const made: Action[] = power === 'stopped' ? [{ kind: 'make-template' }] : [];
  const change: Change = { field: 'asTemplate', from: undefined, to: 'true', effect: 'live' };
  return { actions: [...last.actions, ...made], changes: [...last.changes, change] };
}

/** What is left to do where Proxmox was cut short while it renamed the disks of a template. */
export function unfinishedTemplate(
  { asTemplate }: MachineSpec,
  { template, vmid, current, node }: Pick<ObservedGuest, 'template' | 'vmid' | 'current' | 'node'>,
  cluster: ObservedCluster | undefined,
): { actions: Action[]; changes: Change[] } {
  const found = cluster?.nodes.find(({ name }) => name === node);
  const disks =
    asTemplate === true && template
      ? disksNotRenamed(current, vmid, found?.storages ?? found?.listedStorages ?? [])
      : [];
  if (disks.length === 0) return { actions: [], changes: [] };
  const to = `with ${disks.join(', ')}`;
  return {
    actions: [{ kind: 'make-template', disks }],
    changes: [{ field: 'asTemplate', from: 'cut short', to, effect: 'live' }],
  };
}

/** Whether a guest that stands is to be turned into a template by this plan or the next. */
function isToBeTemplate(
  { asTemplate }: Pick<MachineSpec, 'asTemplate'>,
  { template }: Pick<ObservedGuest, 'template'>,
): boolean {
  return asTemplate === true && !template;
}

/** Proxmox has no way from a template back to a machine: whoever has one turned into it is told before. */
export function noWayBack(
  spec: Pick<MachineSpec, 'asTemplate'>,
  guest: Pick<ObservedGuest, 'template' | 'vmid'>,
  origin: Origin,
): Warning[] {
  if (!isToBeTemplate(spec, guest) || origin === 'cloned' || origin === 'blank') return [];
  const text = `VM ${guest.vmid} becomes a template, and that cannot be undone: it never runs again. To have it run, clone it.`;
  return [{ about: 'asTemplate', text }];
}

const STAYS_FIXED: readonly Action['kind'][] = ['resize', 'move-disk', 'migrate', 'restart', 'power'];

/**
 * The volumes of other guests that a guest has as its disks. Proxmox renames all disks of what becomes a template
 * (behaviour.md §6), and the others would find theirs no more.
 */
export function volumesOfOthers({ current, vmid }: Pick<ObservedGuest, 'current' | 'vmid'>): string[] {
  return Object.entries(current)
    .filter(([key, text]) => isDriveKey(key) && isDisk(text))
    .map(([, text]) => readDrive(text).file)
    .filter(file => !isOwnVolume(file, vmid));
}

/**
 * What may not become a template, told before it is shut down for that; and the volumes of one are bases of others, so
 * that they stay as they are.
 */
export function fixedTemplate(
  { id: machine, asTemplate }: Pick<MachineSpec, 'id' | 'asTemplate'>,
  { template, vmid, current, digest }: Pick<ObservedGuest, 'template' | 'vmid' | 'current' | 'digest'>,
  actions: readonly Action[],
  { facts, done }: Pick<PlanContext, 'facts' | 'done'>,
): Refusal[] {
  // a clone that is only foreseen has no digest, and names the volumes of its source
  const isToBe = asTemplate === true && !template && digest !== '';
  // of what this run has made, nobody has taken one
  const listed = isToBe && !done.isMade ? facts.ask('snapshots') : undefined;
  const snapshots = isToBe ? snapshotsOf(current, listed) : [];
  if (snapshots.length > 0) {
    const detail = `VM ${vmid} is to be a template, and has snapshots: ${snapshots.join(', ')}. Proxmox makes no template of a guest with snapshots.`;
    const remedy = `Delete them where what they hold may go (pve-reconciler snapshot delete ${machine} ${snapshots[0]}), then run again. Or leave it as it is, and make a template of a copy: another machine with image.machine and asTemplate.`;
    return [{ machine, ...untouched('template-snapshots', detail, remedy) }];
  }
  const others = isToBe ? volumesOfOthers({ current, vmid }) : [];
  if (others.length > 0) {
    const detail = `VM ${vmid} is to be a template, and has volumes that are not its own: ${others.join(', ')}.`;
    const remedy = 'Detach them, then run again.';
    return [{ machine, ...untouched('template-volumes', detail, remedy) }];
  }
  const hindered = actions.find(({ kind }) => STAYS_FIXED.includes(kind));
  if (!template || hindered === undefined) return [];
  const detail = `VM ${vmid} is a template, and what is wanted of it would take a ${hindered.kind}.`;
  const remedy = 'Give the machine another id, and clone from that one.';
  return [{ machine, ...untouched('template-fixed', detail, remedy) }];
}

/** The names of a guest's snapshots, as they were listed; not listed: the last one, which its configuration names. */
function snapshotsOf(
  { parent }: ObservedGuest['current'],
  listed: readonly HeldSnapshot[] | undefined,
): string[] {
  if (listed !== undefined) return listed.map(({ name }) => name);
  return parent === undefined ? [] : [parent];
}
