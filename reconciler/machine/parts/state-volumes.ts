import { AT_CREATE } from '../../../spec';
import { defaultStorage } from '../default-storage';
import type { Part, Scene } from '../scene';
import { wantsFrom, type Want, type WantValue } from '../want';

/** The EFI variables and the TPM's state: small volumes that are made once. */
export const stateVolumes: Part = scene => {
  const { spec, config } = scene;
  const efi = needsEfiDisk(scene) ? efiDisk(scene) : [];
  return [...efi, ...(spec.tpm && config.tpmstate0 === undefined ? tpm(scene) : [])];
};

/** Whether the spec wants UEFI, and the guest has nowhere to keep its variables. */
export function needsEfiDisk({ spec, config }: Scene): boolean {
  const uefi =
    spec.bios === 'uefi' || spec.bios === 'ovmf' || spec.efiDisk !== undefined || spec.secureBoot === true;
  return uefi && config.efidisk0 === undefined;
}

function efiDisk({ spec, config }: Scene): Want[] {
  const {
    storage = defaultStorage({ spec, config }),
    type = AT_CREATE.efiDisk.type,
    format,
    microsoftCertificates,
  } = spec.efiDisk ?? {};
  if (storage === undefined) return [];
  const values = {
    file: `${storage}:1`,
    efitype: type,
    format,
    'ms-cert': microsoftCertificates,
    'pre-enrolled-keys': spec.secureBoot,
  };
  return stateWants('efiDisk', 'efidisk0', values);
}

function tpm({ spec, config }: Scene): Want[] {
  const {
    storage = defaultStorage({ spec, config }),
    version = AT_CREATE.tpm.version,
    format,
  } = spec.tpm ?? {};
  if (storage === undefined) return [];
  return stateWants('tpm', 'tpmstate0', { file: `${storage}:1`, version, format });
}

function stateWants(field: string, key: string, values: Record<string, WantValue | undefined>): Want[] {
  const table = Object.fromEntries(Object.keys(values).map(property => [property, `${key}.${property}`]));
  return wantsFrom('', table, values).map(want => ({ ...want, field }));
}
