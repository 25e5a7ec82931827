import * as z from 'zod';
import { optional } from '../fields/field';
import { firmwareFields } from './firmware';
import { imageChangeField } from './image';
import { memoryFields } from './memory';
import { DnsLabel, StorageId } from '../values/names';
import { strictObject } from '../fields/strict-object';
import { wholeNumber } from '../fields/wants';

/** A size of machine that many machines name. It is resolved into them before a desired state is written. */
export const MachineClass = strictObject(() => ({
  name: DnsLabel.meta({ description: 'What machines call it.' }),
  cpus: optional(wholeNumber(1, 128), "The machine's cpu.cores."),
  memory: memoryFields().memory,
  machine: firmwareFields().machine,
  bios: firmwareFields().bios,
  ...imageChangeField(),
  storage: optional(
    strictObject(() => ({
      class: optional(StorageId, 'Storage of disks that name none.'),
      type: optional(z.enum(['thin', 'thick']), 'Allocation of disks that name none.'),
    })),
    'Where disks go.',
  ),
}));
export type MachineClass = z.infer<typeof MachineClass>;
