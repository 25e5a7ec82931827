import { AT_CREATE, OS_TYPES, type MachineSpec } from '../../../spec';
import { propertiesOf, type Configuration } from '../../guest/configuration';
import type { Part } from '../scene';
import { wantsFrom, type FieldTable, type Want } from '../want';

export const FIRMWARE: FieldTable = {
  osType: 'ostype',
  bios: 'bios',
  scsiController: 'scsihw',
  hotplug: 'hotplug',
};

export const CHIPSET: FieldTable = {
  type: 'machine.type',
  viommu: 'machine.viommu',
  addressBits: 'machine.aw-bits',
  enableS3: 'machine.enable-s3',
  enableS4: 'machine.enable-s4',
};

/** Operating system, chipset, firmware, SCSI controller and hotplug. The EFI disk and the TPM: state-volumes. */
export const firmware: Part = ({ spec, origin, next }) => {
  const isNew = origin === 'blank';
  const wants = wantsFrom('', FIRMWARE, {
    osType: osTypeOf(spec.osType ?? (isNew ? AT_CREATE.osType : undefined)),
    bios: spec.bios === 'uefi' ? 'ovmf' : spec.bios,
    scsiController: spec.scsiController ?? (isNew ? AT_CREATE.scsiController : undefined),
    // PVE: without any feature it is 0
    hotplug: spec.hotplug?.length === 0 ? '0' : spec.hotplug?.join(','),
  });
  return [...wants, ...chipset(spec, next)];
};

function osTypeOf(word: string | undefined): string | undefined {
  return Object.entries(OS_TYPES).find(([ours]) => ours === word)?.[1] ?? word;
}

function chipset({ machine }: MachineSpec, config: Configuration): Want[] {
  if (machine === undefined) return [];
  const said = typeof machine === 'string' ? { type: machine } : machine;
  const type = chipsetOf(said.type);
  const wants = wantsFrom('machine.', CHIPSET, { ...said, type });
  // PVE: "to use Intel vIOMMU please set the machine type to q35": one that the spec does not name goes with the q35
  const hasIntel = propertiesOf('machine', config.machine).viommu === 'intel';
  if (hasIntel && said.viommu === undefined && type !== undefined && !type.includes('q35'))
    wants.push({ field: 'machine.type', key: 'machine', property: 'viommu', value: null });
  return typeof machine === 'string' ? wants.map(want => ({ ...want, field: 'machine' })) : wants;
}

/** PVE's word for a chipset: it knows `q35` without a version, and `pc` where people say i440fx. */
function chipsetOf(type: string | undefined): string | undefined {
  if (type === 'i440fx') return 'pc';
  return type !== undefined && /^(?:q35|i440fx)-/.test(type) ? `pc-${type}` : type;
}
