import * as z from 'zod';
import { AT_CREATE } from '../fields/defaults';
import { atCreate, optional } from '../fields/field';
import { StorageId } from '../values/names';
import { strictObject } from '../fields/strict-object';
import { setOf, text, wants, wholeNumber } from '../fields/wants';

/** Our words for operating systems, and PVE's. */
export const OS_TYPES = { linux: 'l26', windows: 'win11', solaris: 'solaris', other: 'other' } as const;

// prettier-ignore
const OS_TYPE_WORDS = [
  'linux', 'windows', 'solaris', 'other',
  'wxp', 'w2k', 'w2k3', 'w2k8', 'wvista', 'win7', 'win8', 'win10', 'win11', 'l24', 'l26',
] as const;
const VERSION = String.raw`\d+(?:\.\d+)+(?:\+pve\d+)?(?:\.pxe)?`;
const MachineType = text(
  new RegExp(`^(?:q35|i440fx|pc|virt|(?:pc-)?(?:q35|i440fx)-${VERSION}|pc-${VERSION}|virt-${VERSION})$`),
  '"q35", "i440fx", or one of them with a version, such as "pc-q35-10.1"',
);

const Chipset = strictObject(() => ({
  type: optional(MachineType, 'Chipset and version.'),
  viommu: optional(z.enum(['intel', 'virtio']), 'Virtual IOMMU.'),
  addressBits: optional(wholeNumber(32, 64), 'Address bits of the virtual IOMMU.'),
  enableS3: optional(z.boolean(), 'Suspend to memory.'),
  enableS4: optional(z.boolean(), 'Suspend to disk.'),
}));

const EfiDisk = strictObject(() => ({
  storage: optional(StorageId, 'Storage of the EFI variables.'),
  type: atCreate(z.enum(['2m', '4m']), AT_CREATE.efiDisk.type, 'Size of the variable store.'),
  format: optional(z.enum(['raw', 'qcow2', 'vmdk']), 'Format of the volume.'),
  microsoftCertificates: optional(
    z.enum(['2011', '2023', '2023w', '2023k']),
    'Enrolled Microsoft certificates.',
  ),
}));

const Tpm = strictObject(() => ({
  storage: optional(StorageId, "Storage of the TPM's state."),
  format: optional(z.enum(['raw', 'qcow2', 'vmdk']), 'Format of the volume.'),
  version: atCreate(z.enum(['v1.2', 'v2.0']), AT_CREATE.tpm.version, 'Version.'),
}));

/** The fields of a machine that are about its mainboard. */
export const firmwareFields = () => ({
  osType: atCreate(
    z.enum(OS_TYPE_WORDS),
    AT_CREATE.osType,
    'Operating system: linux, windows, solaris, other, or any value of PVE.',
  ),
  machine: optional(
    z.union([MachineType, Chipset], wants('"q35", "i440fx", or one of them with a version, or an object')),
    'Chipset.',
  ),
  bios: optional(z.enum(['seabios', 'uefi', 'ovmf']), 'Firmware; ovmf is the same as uefi.'),
  efiDisk: optional(EfiDisk, 'Where the EFI variables live.'),
  secureBoot: optional(z.boolean(), 'Enrol the secure boot keys in the EFI disk.'),
  tpm: optional(Tpm, 'A trusted platform module.'),
  scsiController: atCreate(
    z.enum(['lsi', 'lsi53c810', 'virtio-scsi-pci', 'virtio-scsi-single', 'megasas', 'pvscsi']),
    AT_CREATE.scsiController,
    'SCSI controller.',
  ),
  hotplug: optional(
    setOf(z.enum(['network', 'disk', 'usb', 'memory', 'cpu', 'cloudinit'])),
    'What may be changed while the guest runs.',
  ),
  kvm: optional(z.boolean(), 'Hardware virtualisation.'),
  acpi: optional(z.boolean(), 'ACPI.'),
  localtime: optional(z.boolean(), 'Clock in local time.'),
});
