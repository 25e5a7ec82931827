import * as z from 'zod';
import { optional } from '../fields/field';
import { MiB, sizeOf } from '../values/size';
import { wants, wholeNumber } from '../fields/wants';

/** The fields of a machine that are about memory. */
export const memoryFields = () => ({
  memory: optional(sizeOf(64 * MiB, MiB), 'Memory.'),
  balloon: optional(
    z.union([z.boolean(), sizeOf(MiB, MiB)], wants('true, false, or the smallest memory as a size')),
    'Ballooning: off, on, or on down to this size.',
  ),
  shares: optional(wholeNumber(0, 50_000), 'Weight when memory is ballooned automatically.'),
  hugepages: optional(z.enum(['any', '2', '1024']), 'Huge pages in MiB. Only root@pam may set it.'),
});
