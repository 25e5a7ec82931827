import { BIRTH } from '../../spec';
import { defaultStorage } from './default-storage';
import type { Part, Scene } from './scene';
import { wantsFrom, type Want, type WantValue } from './want';

/** The EFI variables and the TPM's state: small volumes that are made once. */
export const stateVolumes: Part = scene => {
  const { spec, config } = scene;
  const uefi =
    spec.bios === 'uefi' || spec.bios === 'ovmf' || spec.efiDisk !== undefined || spec.secureBoot === true;
  const efi = uefi && config.efidisk0 === undefined ? efiDisk(scene) : [];
  return [...efi, ...(spec.tpm && config.tpmstate0 === undefined ? tpm(scene) : [])];
};

function efiDisk({ spec, config }: Scene): Want[] {
  const {
    storage = defaultStorage({ spec, config }),
    type = BIRTH.efiDisk.type,
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
  const { storage = defaultStorage({ spec, config }), version = BIRTH.tpm.version } = spec.tpm ?? {};
  return storage === undefined ? [] : stateWants('tpm', 'tpmstate0', { file: `${storage}:1`, version });
}

function stateWants(field: string, key: string, values: Record<string, WantValue | undefined>): Want[] {
  const table = Object.fromEntries(Object.keys(values).map(property => [property, `${key}.${property}`]));
  return wantsFrom('', table, values).map(want => ({ ...want, field }));
}
