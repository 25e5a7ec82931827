import type { Warning } from '../action';
import { isosOf, wantedIso, wantsDataIso } from '../machine/wanted-data-iso';
import type { Scene } from '../machine/scene';

/**
 * What to tell of ISOs on shared storage that have the tag of the machine, and that neither its drive nor its mark knows: an
 * upload that no write followed, or the data of a mark that a snapshot brought back. No run removes them.
 */
export function leftIsos(scene: Scene): Warning[] {
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
