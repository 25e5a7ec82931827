import type { IResolvable } from 'cdktf';

/** The chipset of a machine. */
export interface ChipsetProps {
  /**
   * "q35" or "i440fx", or one of them with a version, such as "pc-q35-10.1".
   * @default - not managed
   */
  readonly type?: string;
  /**
   * Virtual IOMMU.
   * @default - not managed
   */
  readonly viommu?: 'intel' | 'virtio';
  /**
   * Address bits of the virtual IOMMU, 32 to 64.
   * @default - not managed
   */
  readonly addressBits?: number;
  /**
   * Suspend to memory.
   * @default - not managed
   */
  readonly enableS3?: boolean | IResolvable;
  /**
   * Suspend to disk.
   * @default - not managed
   */
  readonly enableS4?: boolean | IResolvable;
}

/** Where the EFI variables live. */
export interface EfiDiskProps {
  /**
   * Storage of the EFI variables.
   * @default - that of the disk "root", else of the first disk that names one
   */
  readonly storage?: string;
  /**
   * Size of the variable store.
   * @default '4m', when it is made
   */
  readonly type?: '2m' | '4m';
  /**
   * Format of the volume.
   * @default - that of the storage
   */
  readonly format?: 'raw' | 'qcow2' | 'vmdk';
  /**
   * Enrolled Microsoft certificates.
   * @default - not managed
   */
  readonly microsoftCertificates?: '2011' | '2023' | '2023w' | '2023k';
}

/** A trusted platform module. */
export interface TpmProps {
  /**
   * Storage of its state.
   * @default - that of the disk "root", else of the first disk that names one
   */
  readonly storage?: string;
  /**
   * Format of the volume.
   * @default - that of the storage
   */
  readonly format?: 'raw' | 'qcow2' | 'vmdk';
  /**
   * Version.
   * @default 'v2.0', when it is made
   */
  readonly version?: 'v1.2' | 'v2.0';
}

/** The operating systems that Proxmox distinguishes: our words, then its own. */
export type OsType =
  | 'linux'
  | 'windows'
  | 'solaris'
  | 'other'
  | 'wxp'
  | 'w2k'
  | 'w2k3'
  | 'w2k8'
  | 'wvista'
  | 'win7'
  | 'win8'
  | 'win10'
  | 'win11'
  | 'l24'
  | 'l26';

/** What may be changed while the guest runs. */
export type HotplugKind = 'network' | 'disk' | 'usb' | 'memory' | 'cpu' | 'cloudinit';

/** The mainboard of a machine. */
export interface FirmwareProps {
  /**
   * Operating system.
   * @default 'linux', when the machine is made
   */
  readonly osType?: OsType;
  /**
   * Chipset: "q35" or "i440fx", or one of them with a version.
   * @default - not managed
   */
  readonly machine?: string | ChipsetProps;
  /**
   * Firmware; ovmf is the same as uefi. With uefi the machine gets an EFI disk.
   * @default - not managed
   */
  readonly bios?: 'seabios' | 'uefi' | 'ovmf';
  /**
   * Where the EFI variables live.
   * @default - made with its defaults when uefi needs it
   */
  readonly efiDisk?: EfiDiskProps;
  /**
   * Enrol the secure boot keys in the EFI disk.
   * @default - not managed
   */
  readonly secureBoot?: boolean | IResolvable;
  /**
   * A trusted platform module.
   * @default - none is made
   */
  readonly tpm?: TpmProps;
  /**
   * SCSI controller.
   * @default 'virtio-scsi-single', when the machine is made
   */
  readonly scsiController?:
    'lsi' | 'lsi53c810' | 'virtio-scsi-pci' | 'virtio-scsi-single' | 'megasas' | 'pvscsi';
  /**
   * What may be changed while the guest runs.
   * @default - not managed
   */
  readonly hotplug?: readonly HotplugKind[];
  /**
   * Hardware virtualisation.
   * @default - not managed
   */
  readonly kvm?: boolean | IResolvable;
  /**
   * ACPI.
   * @default - not managed
   */
  readonly acpi?: boolean | IResolvable;
  /**
   * The clock shows local time.
   * @default - not managed
   */
  readonly localtime?: boolean | IResolvable;
}
