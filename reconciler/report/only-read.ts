import { shellWord } from './shell-word';
import { oneLine } from './visible';

/** Why a guest stays that the desired state only reads, as `existing` of this id; our mark is still on it. */
export function onlyRead(id: string, { machine, owner }: { machine: string; owner: string }): string {
  // whoever may write the guest's description may have written its machine: it is one word, and no option
  const words = ['release', '--owner', owner, ...(machine.startsWith('-') ? ['--'] : []), machine];
  const command = ['pve-reconciler', ...words.map(shellWord)].join(' ');
  return oneLine(
    `existing "${id}" of the desired state reads it. To have it destroyed remove "${id}" from existing. Else take our mark off it, and it is no orphan any more: ${command}`,
  );
}
