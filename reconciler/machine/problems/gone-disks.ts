import { untouched, type Action } from '../../action';
import { readDrive } from '../../guest/drive';
import { DRIVE_KEYS } from '../../guest/slot-names';
import { afterWrite, wantsOf } from '../parts/wants-of';
import type { ObservedGuest } from '../../observed';
import { WHY_LOOK } from '../facts';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/** Disks of a guest whose volumes are not on their storages. Only a word makes such a machine anew. */
export function goneDisks(scene: Scene, guest: ObservedGuest, actions: readonly Action[]): Problem[] {
  const { spec, vmid, slots, node } = scene;
  const gone = lookedFor(scene, guest, actions);
  if (gone.length === 0) return [];
  // a disk that leaves by this very plan is missed by nobody
  const after = afterWrite(scene.next, wantsOf(scene));
  return DRIVE_KEYS.flatMap(slot => {
    const { file, storage = '' } = readDrive(after[slot]);
    if (!gone.includes(file)) return [];
    const name = Object.entries(slots.disks).find(([, at]) => at === slot)?.[0];
    const disk = name === undefined ? `disk ${slot}` : `disk "${name}" (${slot})`;
    const detail = `${disk} of guest ${vmid} on ${node} is ${file}, and storage '${storage}' has no such volume. A destroy or a clone that lost the quorum half-way leaves a guest so.`;
    const remedy = `Where only the storage is away (a mount, a pool), bring it back and run again; that is safe. Else what was on it is lost, and running again does not help: pve-reconciler destroy ${spec.id}, then apply, makes the machine anew. What a Terraform state holds is destroyed there: take the machine out of the program, apply, put it back, apply.`;
    return [
      { field: name === undefined ? slot : `disks[${name}]`, ...untouched('disk-gone', detail, remedy) },
    ];
  });
}

/** What is in vain, or does harm, where a disk has no volume. */
const ON_DISKS: readonly Action['kind'][] = ['resize', 'move-disk', 'migrate', 'make-template'];

/**
 * A healthy machine costs no look: one that runs, or that this run has made, has its volumes, unless Proxmox has just
 * said that one is not there.
 */
function lookedFor(
  { context, mark }: Scene,
  { power }: ObservedGuest,
  actions: readonly Action[],
): readonly string[] {
  const {
    facts,
    done: { isMade, toldGone },
  } = context;
  if (toldGone.size === 0 && (isMade || power === 'running')) return [];
  const isWorkedOn = actions.some(
    action => ON_DISKS.includes(action.kind) || (action.kind === 'power' && action.to === 'running'),
  );
  const isDoubtful = isWorkedOn || mark?.isUnfinished === true || toldGone.size > 0;
  return facts.ask('goneVolumes', isDoubtful ? WHY_LOOK.inDoubt : WHY_LOOK.afterFailedDestroy) ?? [];
}
