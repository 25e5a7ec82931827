import { needsCloudInitDrive } from '../parts/cloud-init/cloud-init';
import { defaultStorage } from '../default-storage';
import { readDrive } from '../../guest/drive';
import type { Problem } from '../problem';
import type { Scene } from '../scene';
import { needsEfiDisk } from '../parts/state-volumes';

/** New small volumes that nothing gives a storage. What an unread source brings is not known yet. */
export function homelessVolumes(scene: Scene): Problem[] {
  const { spec, next, origin } = scene;
  const isUnread = origin === 'cloned' && Object.keys(next).length === 0;
  if (isUnread || defaultStorage(scene) !== undefined) return [];
  const lacking = [
    ...(needsEfiDisk(scene) && spec.efiDisk?.storage === undefined ? ['efiDisk.storage'] : []),
    ...(spec.tpm && next.tpmstate0 === undefined && spec.tpm.storage === undefined ? ['tpm.storage'] : []),
  ];
  const problems = lacking.map(field => ({
    field,
    to: 'a storage',
    why: 'no-storage',
    detail: `${field} is needed for a new volume, and no disk tells a storage.`,
    remedy: `Give ${field}.`,
  }));
  return needsCloudInitDrive(scene) ? [...problems, homelessCloudInit(scene)] : problems;
}

/** The drive has no field of its own: it goes beside the root disk, else to the first storage that a disk names. */
function homelessCloudInit({ spec: { disks = [] } }: Scene): Problem {
  const beside = disks.find(({ name }) => name === 'root') ?? disks[0];
  const remedy =
    beside === undefined
      ? 'Give the machine a disk with a storage: the drive goes beside it.'
      : `Give disks[${beside.name}].storage: the drive goes beside that disk.`;
  const detail = 'The cloud-init drive is new, and no disk tells a storage for it.';
  return { field: 'cloudInit', to: 'a storage', why: 'no-storage', detail, remedy };
}

/** PVE: "cannot move TPM state while VM is running". Everything else moves live. */
export function tpmMoveProblems({ spec, running }: Scene): Problem[] {
  const to = spec.tpm?.storage;
  const from = readDrive(running.tpmstate0).storage;
  if (to === undefined || from === undefined || to === from) return [];
  const detail = `The TPM's state is on ${from} and cannot move to ${to} while the machine runs.`;
  const remedy = 'Set power to stopped and apply that, then apply this, then set power back.';
  return [{ field: 'tpm.storage', from, to, why: 'tpm-running', detail, remedy }];
}
