import type { MachineClass as ClassSpec } from '../spec';
import { parseMachineClass } from '../spec';
import { literally } from './private/checked';
import type { Size } from './size';

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
   * Chipset.
   * @default - not managed
   */
  readonly machine?: string;
  /**
   * Firmware.
   * @default - not managed
   */
  readonly bios?: 'seabios' | 'uefi';
  /**
   * Where disks go that name no storage, and how they are allocated.
   * @default - as the disks say
   */
  readonly storage?: { readonly class?: string; readonly type?: 'thin' | 'thick' };
}

/** A size of machine that many machines name. What a machine says itself wins. */
export class MachineClass {
  /** What it says, checked. */
  readonly spec: ClassSpec;

  constructor(props: MachineClassProps) {
    this.spec = literally(`MachineClass ${props.name}`, props, parseMachineClass);
  }
}
