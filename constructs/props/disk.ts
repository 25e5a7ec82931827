import type { IResolvable } from 'cdktf';
import type { DiskLimitsProps } from './disk-limits';
import type { Size } from '../values/size';

/** One disk, known by its name: the order of disks never matters, and slots are remembered. */
export interface DiskProps {
  /** The identity of the disk. "root" is the one that the image brings. */
  readonly name: string;
  /**
   * Size, in whole MiB. It only ever grows.
   * @default - as the image brings it
   */
  readonly size?: Size | string | number;
  /**
   * Storage that holds the volume. Another one moves the disk while the guest runs.
   * @default - that of the class, else where the image brings it
   */
  readonly storage?: string;
  /**
   * Bus.
   * @default 'scsi', when the disk is made
   */
  readonly type?: 'ide' | 'sata' | 'scsi' | 'virtio';
  /**
   * Slot, such as "scsi1".
   * @default - assigned once and remembered
   */
  readonly slot?: string;
  /**
   * Format of the volume.
   * @default - that of the storage
   */
  readonly format?: 'raw' | 'qcow2' | 'vmdk';
  /**
   * Thick: preallocated where the storage can, refused where not.
   * @default - as the storage does it
   */
  readonly allocation?: 'thin' | 'thick';
  /**
   * Cache on the node.
   * @default - not managed
   */
  readonly cache?: 'none' | 'writethrough' | 'writeback' | 'directsync' | 'unsafe';
  /**
   * Shown to the guest as an SSD.
   * @default - not managed
   */
  readonly ssd?: boolean | IResolvable;
  /**
   * Pass discard (trim) to the storage.
   * @default - not managed
   */
  readonly discard?: boolean | IResolvable;
  /**
   * A thread of its own.
   * @default - not managed
   */
  readonly iothread?: boolean | IResolvable;
  /**
   * Asynchronous I/O.
   * @default - not managed
   */
  readonly aio?: 'native' | 'threads' | 'io_uring';
  /**
   * Part of backups.
   * @default - not managed
   */
  readonly backup?: boolean | IResolvable;
  /**
   * Part of replication jobs.
   * @default - not managed
   */
  readonly replicate?: boolean | IResolvable;
  /**
   * Read only.
   * @default - not managed
   */
  readonly readOnly?: boolean | IResolvable;
  /**
   * Serial number, 1 to 20 characters.
   * @default - not managed
   */
  readonly serial?: string;
  /**
   * Throttling.
   * @default - not managed
   */
  readonly limits?: DiskLimitsProps;
  /**
   * Attach this volume instead of making one, such as "local-lvm:vm-100-disk-1".
   * @default - a new volume
   */
  readonly existingVolume?: string;
  /**
   * What happens to the volume when the disk is removed from the program: it stays detached, or it goes.
   * @default 'keep'
   */
  readonly onRemove?: 'keep' | 'delete';
  /**
   * Any other property of the drive, in the words of Proxmox.
   * @default - not managed
   */
  readonly options?: Readonly<Record<string, string | number | boolean | IResolvable>>;
}
