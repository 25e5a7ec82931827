import { isCdrom } from '../../guest/drive';
import type { Part, Scene } from '../scene';
import type { Want } from '../want';

/** A CD-ROM drive with this in it. */
export function cdromDrive(field: string, key: string, file: string): Want[] {
  return [
    { field, key, property: 'file', value: file },
    { field, key, property: 'media', value: 'cdrom' },
  ];
}

/** What is in the CD-ROM drive. A machine that is created from an ISO starts with it in the drive. */
export const cdrom: Part = scene => {
  const medium = mediumOf(scene);
  if (medium === undefined) return [];
  const { cdrom: key } = scene.slots;
  const drive = cdromDrive('cdrom', key, medium);
  return isCdrom(scene.next[key]) ? drive.filter(({ property }) => property === 'file') : drive;
};

function mediumOf({ spec, origin }: Scene): string | undefined {
  return spec.cdrom ?? (origin === 'blank' ? spec.image?.iso : undefined);
}
