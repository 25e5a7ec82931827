import type { ChipsetProps } from './props/firmware';
import type { Size } from './values/size';

/** Where the disks of a class go. */
export interface ClassStorageProps {
  /**
   * Storage of disks that name none.
   * @default - as the disks say
   */
  readonly class?: string;
  /**
   * Thick: preallocated where the storage can, refused where not. For disks that say nothing.
   * @default - as the disks say
   */
  readonly type?: 'thin' | 'thick';
}

/** A size of machine that many machines name. */
export interface MachineClassProps {
  /** What people call it. */
  readonly name: string;
  /**
   * The machine's cpu.cores.
   * @default - not managed
   */
  readonly cpus?: number;
  /**
   * Memory, such as "4Gi".
   * @default - not managed
   */
  readonly memory?: Size | string | number;
  /**
   * Chipset: "q35" or "i440fx", or one of them with a version.
   * @default - not managed
   */
  readonly machine?: string | ChipsetProps;
  /**
   * Firmware; ovmf is the same as uefi.
   * @default - not managed
   */
  readonly bios?: 'seabios' | 'uefi' | 'ovmf';
  /**
   * What becomes of its machines when their image is another one than they were made from.
   * @default - as the machines say
   */
  readonly onImageChange?: 'refuse' | 'keep' | 'rebuild';
  /**
   * Where disks go that name no storage, and how they are allocated.
   * @default - as the disks say
   */
  readonly storage?: ClassStorageProps;
}
