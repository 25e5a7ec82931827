import { untouched, type Action } from '../../action';
import type { Configuration } from '../../guest/configuration';
import { readDrive } from '../../guest/drive';
import { DRIVE_KEYS } from '../../guest/slot-names';
import { afterWrite, wantsOf } from '../parts/wants-of';
import type { ObservedGuest } from '../../observed';
import { WHY_LOOK } from '../facts';
import type { Done } from '../plan-context';
import type { Problem } from '../problem';
import type { Scene } from '../scene';
import type { Start, Wanting } from './start';

/**
 * Disks of a guest whose volumes are not on their storages. Only a word makes such a machine anew. `needed`: what it has
 * when they are missed; absent: a disk that leaves by this very plan is missed by nobody.
 */
export function goneDisks(
  scene: Scene,
  guest: ObservedGuest,
  actions: readonly Action[],
  needed?: Configuration,
): Problem[] {
  const gone = lookedFor(scene, guest, actions);
  if (gone.length === 0) return [];
  return missed(scene, guest, gone, needed ?? afterWrite(scene.next, wantsOf(scene)));
}

/**
 * The same of a guest that runs and is to be stopped for another end. Proxmox deletes a volume that is in use
 * (behaviour.md §13.10); on a storage of files the guest has it until it stops, and then nobody has it any more.
 */
export function goneBehind(scene: Wanting, { stopped, after }: Start): Problem[] {
  const { facts, done } = scene.context;
  if (stopped === undefined || stopped.power === 'stopped' || isHealthy(done)) return [];
  return missed(scene, stopped, facts.ask('goneVolumes', WHY_LOOK.inDoubt) ?? [], after);
}

function missed(
  { spec, slots }: Wanting,
  { vmid, node, power }: ObservedGuest,
  gone: readonly string[],
  after: Configuration,
): Problem[] {
  return DRIVE_KEYS.flatMap(slot => {
    const { file, storage = '' } = readDrive(after[slot]);
    if (!gone.includes(file)) return [];
    const name = Object.entries(slots.disks).find(([, at]) => at === slot)?.[0];
    const disk = name === undefined ? `disk ${slot}` : `disk "${name}" (${slot})`;
    const told = `${disk} of guest ${vmid} on ${node} is ${file}, and storage '${storage}' has no such volume.`;
    const { how, remedy } = WHERE[power](spec.id);
    const field = name === undefined ? slot : `disks[${name}]`;
    return [{ field, ...untouched('disk-gone', `${told} ${how}`, remedy) }];
  });
}

/** The way out that is left once nothing can be saved. */
function madeAnew(id: string): string {
  return `pve-reconciler destroy ${id}, then apply, makes the machine anew. What a Terraform state holds is destroyed there: take the machine out of the program, apply, put it back, apply.`;
}

interface Advice {
  how: string;
  remedy: string;
}

function whereOff(id: string): Advice {
  return {
    how: 'A destroy or a clone that lost the quorum half-way leaves a guest so.',
    remedy: `${BRING_BACK} Else what was on it is lost, and running again does not help: ${madeAnew(id)}`,
  };
}

function whereItRuns(id: string): Advice {
  return {
    how: 'It still runs, with a volume that somebody deleted: once it is stopped, what is on that is lost for good, and it would not start again.',
    remedy: `${BRING_BACK} Else copy out of the guest what is to be kept, from inside, over its network; after that ${madeAnew(id)}`,
  };
}

function whereNobodyKnows(id: string): Advice {
  return {
    how: 'Whether it still runs cannot be seen now: its node does not say. If it does, what is on that volume is lost for good once it is stopped.',
    remedy: `${BRING_BACK} Else, if it runs, copy out of the guest what is to be kept, from inside, over its network; after that ${madeAnew(id)}`,
  };
}

const BRING_BACK =
  'Where only the storage is away (a mount, a pool), bring it back and run again; that is safe.';

const WHERE: Record<ObservedGuest['power'], (id: string) => Advice> = {
  stopped: whereOff,
  running: whereItRuns,
  unknown: whereNobodyKnows,
};

/** What is in vain, or does harm, where a disk has no volume. */
const ON_DISKS: readonly Action['kind'][] = ['resize', 'move-disk', 'migrate', 'make-template'];

/**
 * A healthy machine costs no look: one that runs, or that this run has made, has its volumes, unless Proxmox has just
 * said that one is not there. One that runs is looked at where it is stopped to be a template.
 */
function lookedFor(
  { spec, context, mark }: Scene,
  { power }: ObservedGuest,
  actions: readonly Action[],
): readonly string[] {
  const { facts, done } = context;
  const goes = (to: string): boolean => actions.some(action => action.kind === 'power' && action.to === to);
  const isStopped = spec.asTemplate === true && goes('stopped');
  if (isHealthy(done) || (done.toldGone.size === 0 && power === 'running' && !isStopped)) return [];
  const isWorkedOn = isStopped || goes('running') || actions.some(({ kind }) => ON_DISKS.includes(kind));
  const isDoubtful = isWorkedOn || mark?.isUnfinished === true || done.toldGone.size > 0;
  return facts.ask('goneVolumes', isDoubtful ? WHY_LOOK.inDoubt : WHY_LOOK.afterFailedDestroy) ?? [];
}

function isHealthy({ isMade, toldGone }: Done): boolean {
  return isMade && toldGone.size === 0;
}
