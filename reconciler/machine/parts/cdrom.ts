import { isCdrom } from '../../guest/drive';
import type { Part, Scene } from '../scene';

/** What is in the CD-ROM drive. A machine that is created from an ISO starts with it in the drive. */
export const cdrom: Part = scene => {
  const medium = mediumOf(scene);
  if (medium === undefined) return [];
  const { cdrom: key } = scene.slots;
  const field = 'cdrom';
  const isNew = !isCdrom(scene.config[key]);
  return [
    { field, key, property: 'file', value: medium },
    ...(isNew ? [{ field, key, property: 'media', value: 'cdrom' }] : []),
  ];
};

function mediumOf({ spec, origin }: Scene): string | undefined {
  return spec.cdrom ?? (origin === 'blank' ? spec.image?.iso : undefined);
}
