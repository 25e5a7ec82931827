import { untouched } from '../../action';
import { isOwnVolume, readDrive } from '../../guest/drive';
import { busOf } from '../../guest/slot-names';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/** The volumes that a spec names to be attached as they are and that the guest does not have. */
function newVolumes({ spec, next, running }: Pick<Scene, 'spec' | 'next' | 'running'>): string[] {
  const lines = [next, running].flatMap(Object.entries<string>);
  const there = lines.flatMap(([key, text]) => (busOf(key) === undefined ? [] : [readDrive(text).file]));
  return (spec.disks ?? []).flatMap(({ existingVolume: volume }) =>
    volume === undefined || there.includes(volume) ? [] : [volume],
  );
}

/** Volumes that are to be attached as they are, and that another guest uses or that were made for another one. */
export function usedVolumes(scene: Scene): Problem[] {
  const { spec, context, vmid, origin } = scene;
  const attached = newVolumes(scene);
  if (attached.length === 0) return [];
  const uses = context.facts.ask('volumeUse', attached.join(' ')) ?? {};
  return (spec.disks ?? []).flatMap(({ name, existingVolume: volume }) => {
    const use = volume === undefined ? undefined : uses[volume];
    if (volume === undefined || use === undefined) return [];
    const { users, unread, owner, isDoubtful = false } = use;
    const field = `disks[${name}].existingVolume`;
    const of = `disk "${name}" is to be ${volume}`;
    const [user = owner] = users;
    if (user !== undefined) {
      const why = users.length > 0 ? `${users.join(', ')} uses it` : `it was made for ${user}`;
      const isThere = origin === 'kept' || origin === 'adopted';
      const first = isThere
        ? 'Give it to this machine first'
        : 'Apply the machine without this disk first; then give it the volume';
      const remedy = `A volume has one user. ${first} (qm disk move ${numberOf(user)} SLOT --target-vmid ${isThere ? vmid : 'ITS-ID'} --target-disk unused0), and say its new name; or name another volume.`;
      return [{ field, to: volume, ...untouched('volume-used', `${of}, and ${why}.`, remedy) }];
    }
    if (isDoubtful && !isOwnVolume(volume, vmid)) {
      const detail = `${of}, and nobody knows whether another guest uses it: the user does not see all guests.`;
      const remedy = `Grant VM.Audit on /vms to the user, and to the token if it has rights of its own; or give the volume to this machine first, once it is there, and say its new name (qm disk move VMID SLOT --target-vmid ${vmid} --target-disk unused0).`;
      return [{ field, to: volume, ...untouched('volume-used', detail, remedy) }];
    }
    if (unread.length === 0) return [];
    const detail = `${of}, and nobody knows whether another guest uses it: ${unread.join(', ')} could not be read.`;
    const remedy = 'Run again when these can be read, or let the user see them; it is safe.';
    return [{ field, to: volume, ...untouched('volume-used', detail, remedy) }];
  });
}

/** The number in what names a guest in words. */
export function numberOf(guest: string): string {
  return /\d+/.exec(guest)?.[0] ?? 'VMID';
}
