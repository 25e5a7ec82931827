import { MachineSpec } from '../../../spec';
import type * as z from 'zod';

/** A machine's spec, valid by default: blank, named web, powered on. A test says only what it is about. */
export function machine(fields: Partial<z.input<typeof MachineSpec>> = {}): MachineSpec {
  return MachineSpec.parse({ id: 'web', image: { blank: true }, ...fields });
}
