import type { IResolvable } from 'cdktf';
import type { Size } from '../values/size';

/** The display of a machine. */
export interface DisplayProps {
  /**
   * Kind of display.
   * @default - not managed
   */
  readonly type?:
    | 'cirrus'
    | 'qxl'
    | 'qxl2'
    | 'qxl3'
    | 'qxl4'
    | 'none'
    | 'serial0'
    | 'serial1'
    | 'serial2'
    | 'serial3'
    | 'std'
    | 'virtio'
    | 'virtio-gl'
    | 'vmware';
  /**
   * Video memory, 4Mi to 512Mi.
   * @default - not managed
   */
  readonly memory?: Size | string | number;
  /**
   * Clipboard shared with the console.
   * @default - not managed
   */
  readonly clipboard?: 'vnc';
}

/** A USB device. */
export interface UsbProps {
  /**
   * A resource mapping of the cluster.
   * @default - none
   */
  readonly mapping?: string;
  /**
   * A device of the node: "vendor:product", "bus-port" or "spice". Anything but "spice" only root@pam may set.
   * @default - none
   */
  readonly host?: string;
  /**
   * USB 3.
   * @default - not managed
   */
  readonly usb3?: boolean | IResolvable;
}

/** A PCI device. */
export interface PciProps {
  /**
   * A resource mapping of the cluster.
   * @default - none
   */
  readonly mapping?: string;
  /**
   * A device of the node, such as "01:00.0". Only root@pam may set it.
   * @default - none
   */
  readonly host?: string;
  /**
   * As PCI Express; it needs q35.
   * @default - not managed
   */
  readonly pcie?: boolean | IResolvable;
  /**
   * Show the ROM.
   * @default - not managed
   */
  readonly rombar?: boolean | IResolvable;
  /**
   * ROM file.
   * @default - not managed
   */
  readonly romFile?: string;
  /**
   * Mediated device type.
   * @default - not managed
   */
  readonly mediatedDevice?: string;
  /**
   * The display of the guest.
   * @default - not managed
   */
  readonly primaryGpu?: boolean | IResolvable;
  /**
   * Legacy mode of Intel graphics.
   * @default - not managed
   */
  readonly legacyIgd?: boolean | IResolvable;
  /**
   * Driver on the node.
   * @default - not managed
   */
  readonly driver?: 'vfio' | 'keep';
  /**
   * Vendor id that the guest sees, such as "0x10de".
   * @default - not managed
   */
  readonly vendorId?: string;
  /**
   * Device id that the guest sees.
   * @default - not managed
   */
  readonly deviceId?: string;
  /**
   * Vendor id of the subsystem that the guest sees.
   * @default - not managed
   */
  readonly subVendorId?: string;
  /**
   * Device id of the subsystem that the guest sees.
   * @default - not managed
   */
  readonly subDeviceId?: string;
}

/** A random number generator. */
export interface RngProps {
  /** Source on the node. */
  readonly source: '/dev/urandom' | '/dev/random' | '/dev/hwrng';
  /**
   * Bytes a period; 0 is no limit.
   * @default - not managed
   */
  readonly maxBytes?: number;
  /**
   * Milliseconds of a period.
   * @default - not managed
   */
  readonly period?: number;
}

/** A watchdog. */
export interface WatchdogProps {
  /**
   * Kind of watchdog.
   * @default - not managed
   */
  readonly model?: 'i6300esb' | 'ib700';
  /**
   * What it does.
   * @default - not managed
   */
  readonly action?: 'reset' | 'shutdown' | 'poweroff' | 'pause' | 'debug' | 'none';
}

/** A sound card. */
export interface AudioProps {
  /** Kind of sound card. */
  readonly device: 'ich9-intel-hda' | 'intel-hda' | 'AC97';
  /**
   * Where the sound goes.
   * @default - not managed
   */
  readonly driver?: 'spice' | 'none';
}

/** A directory of the node that the guest mounts. */
export interface VirtiofsProps {
  /** A directory mapping of the cluster. */
  readonly mapping: string;
  /**
   * Caching.
   * @default - not managed
   */
  readonly cache?: 'auto' | 'always' | 'metadata' | 'never';
  /**
   * Honour O_DIRECT.
   * @default - not managed
   */
  readonly directIo?: boolean | IResolvable;
  /**
   * POSIX ACLs.
   * @default - not managed
   */
  readonly exposeAcl?: boolean | IResolvable;
  /**
   * Extended attributes.
   * @default - not managed
   */
  readonly exposeXattr?: boolean | IResolvable;
}
