import { needsCloudInitDrive } from '../parts/cloud-init';
import { defaultStorage } from '../default-storage';
import type { Problem } from '../problem';
import type { Scene } from '../scene';
import { needsEfiDisk } from '../parts/state-volumes';

/** New small volumes that nothing gives a storage. What an unread source brings is not known yet. */
export function homelessVolumes(scene: Scene): Problem[] {
  const { spec, config, origin } = scene;
  const isUnread = origin === 'cloned' && Object.keys(config).length === 0;
  if (isUnread || defaultStorage(scene) !== undefined) return [];
  const lacking = [
    ...(needsEfiDisk(scene) && spec.efiDisk?.storage === undefined ? ['efiDisk.storage'] : []),
    ...(spec.tpm && config.tpmstate0 === undefined && spec.tpm.storage === undefined ? ['tpm.storage'] : []),
    ...(needsCloudInitDrive(scene) ? ['disks[…].storage'] : []),
  ];
  return lacking.map(field => ({
    field,
    to: 'a storage',
    why: 'no-storage',
    detail: `${field} is needed for a new volume, and no disk tells a storage.`,
    remedy: `Give ${field}.`,
  }));
}
