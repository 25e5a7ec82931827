import { AT_CREATE } from '../../../spec';
import { readDrive } from '../../guest/drive';
import { bootDiskSlot } from '../../guest/slot-names';
import { defaultStorage } from '../default-storage';
import { restatedOr } from './restated';
import type { Part, Scene } from '../scene';
import { wantsAsIs, type Want } from '../want';

/** The EFI variables and the TPM's state: small volumes that are made once. */
export const stateVolumes: Part = scene => {
  const { spec, next } = scene;
  const needsTpm = spec.tpm !== undefined && next.tpmstate0 === undefined;
  return [
    ...(needsEfiDisk(scene) ? restatedOr('efiDisk', 'efidisk0', scene, () => efiDisk(scene)) : []),
    // that it may be said again is assumed
    ...(needsTpm ? restatedOr('tpm', 'tpmstate0', scene, () => tpm(scene)) : []),
  ];
};

/** Whether the spec wants UEFI, and the guest has nowhere to keep its variables. */
export function needsEfiDisk({ spec, next }: Scene): boolean {
  const uefi =
    spec.bios === 'uefi' || spec.bios === 'ovmf' || spec.efiDisk !== undefined || spec.secureBoot === true;
  return uefi && next.efidisk0 === undefined;
}

function efiDisk(scene: Scene): Want[] {
  const { spec, next } = scene;
  const { storage = defaultStorage({ spec, next }), ...said } = spec.efiDisk ?? {};
  return stateWants('efiDisk', 'efidisk0', storage, {
    efitype: said.type ?? AT_CREATE.efiDisk.type,
    format: said.format ?? formatOfRoot(scene, storage),
    'ms-cert': said.microsoftCertificates,
    'pre-enrolled-keys': spec.secureBoot,
  });
}

/** PVE makes it raw on files; beside a root in qcow2, that alone would leave the guest without snapshots. */
function formatOfRoot({ spec, next }: Scene, storage: string | undefined): 'qcow2' | undefined {
  const slot = bootDiskSlot(next);
  const there = slot === undefined ? undefined : readDrive(next[slot]);
  const root = there ?? spec.disks?.find(({ name }) => name === 'root');
  return root?.storage === storage && root?.format === 'qcow2' ? 'qcow2' : undefined;
}

function tpm({ spec, next }: Scene): Want[] {
  const { storage = defaultStorage({ spec, next }), version, format } = spec.tpm ?? {};
  return stateWants('tpm', 'tpmstate0', storage, { version: version ?? AT_CREATE.tpm.version, format });
}

function stateWants(field: string, key: string, storage: string | undefined, properties: object): Want[] {
  if (storage === undefined) return [];
  const wants = wantsAsIs(field, key, { file: `${storage}:1`, ...properties });
  return wants.map(want => ({ ...want, field }));
}
