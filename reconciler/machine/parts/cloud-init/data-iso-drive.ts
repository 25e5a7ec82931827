import { isDataIso } from '../../data-iso/data-iso-name';
import { isCloudInit, readDrive } from '../../../guest/drive';
import { holdsOurData, wantedIso, wantsDataIso } from '../../wanted-data-iso';
import { cdromDrive } from '../cdrom';
import type { Part, Scene } from '../../scene';

/** What is in the drive of cloud-init data: our ISO, or nothing where what is there is to go. */
export const dataIsoDrive: Part = scene => {
  const medium = mediumOf(scene);
  return medium === undefined ? [] : cdromDrive('cloudInit', scene.slots.cloudInit, medium);
};

function mediumOf(scene: Scene): string | undefined {
  const { next, slots, origin } = scene;
  const there = next[slots.cloudInit];
  if (wantsDataIso(scene)) {
    const iso = wantedIso(scene);
    // PVE frees the volume of its own drive only where the drive is emptied first (behaviour.md §15.13)
    const isFirstEmptied = origin !== 'cloned' && isCloudInit(there);
    return isFirstEmptied ? 'none' : iso?.volume;
  }
  return isUnwanted(scene) ? 'none' : undefined;
}

/** A clone brings the data of its source along, which would give it the source's addresses; and clear says so too. */
function isUnwanted(scene: Scene): boolean {
  const { spec, next, slots, origin } = scene;
  const there = next[slots.cloudInit];
  if (!isDataIso(readDrive(there).file)) return false;
  const isCleared = spec.clear?.some(field => CLEARED.includes(field)) === true;
  return holdsOurData(there, scene) ? isCleared : origin === 'cloned';
}

const CLEARED = ['userData', 'vendorData', 'metaData', 'networkData'].map(name => `cloudInit.${name}`);
