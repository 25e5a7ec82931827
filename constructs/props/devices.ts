import type { IResolvable } from 'cdktf';
import type {
  AudioProps,
  DisplayProps,
  PciProps,
  RngProps,
  UsbProps,
  VirtiofsProps,
  WatchdogProps,
} from './device-kinds';
import type { Keyboard } from './keyboard';
import type { SmbiosProps } from './smbios';

/** The devices of a machine other than disks and network cards. */
export interface DevicesProps {
  /**
   * Display.
   * @default - not managed
   */
  readonly display?: DisplayProps;
  /**
   * Serial ports: "socket", or a device of the node such as "/dev/ttyS0", which only root@pam may set. At most 4.
   * @default - not managed
   */
  readonly serial?: readonly string[];
  /**
   * What is in the CD-ROM drive: "none", "cdrom" (the drive of the node), or an ISO such as "local:iso/debian.iso".
   * @default - not managed
   */
  readonly cdrom?: string;
  /**
   * USB devices, at most 14.
   * @default - not managed
   */
  readonly usb?: readonly UsbProps[];
  /**
   * PCI devices, at most 16.
   * @default - not managed
   */
  readonly pci?: readonly PciProps[];
  /**
   * Random number generator.
   * @default - not managed
   */
  readonly rng?: RngProps;
  /**
   * Watchdog.
   * @default - not managed
   */
  readonly watchdog?: WatchdogProps;
  /**
   * Sound card.
   * @default - not managed
   */
  readonly audio?: AudioProps;
  /**
   * Directories of the node that the guest mounts, at most 10.
   * @default - not managed
   */
  readonly virtiofs?: readonly VirtiofsProps[];
  /**
   * A USB tablet as pointer.
   * @default - not managed
   */
  readonly tablet?: boolean | IResolvable;
  /**
   * Keyboard layout of the console.
   * @default - not managed
   */
  readonly keyboard?: Keyboard;
  /**
   * What the guest reads about its hardware.
   * @default - not managed
   */
  readonly smbios?: SmbiosProps;
  /**
   * Script that runs at start and stop, such as "local:snippets/hook.sh". Only root@pam may set it.
   * @default - not managed
   */
  readonly hookScript?: string;
}
