import * as z from 'zod';
import { ALWAYS } from '../fields/defaults';
import { always, optional } from '../fields/field';
import { MachineId, SnapshotName } from '../values/names';
import { strictObject } from '../fields/strict-object';
import { text } from '../fields/wants';

/** A snapshot that is taken once per machine and name. */
export const SnapshotSpec = strictObject(() => ({
  machine: MachineId.meta({ description: 'The machine, by its id.' }),
  name: SnapshotName.meta({ description: 'Name of the snapshot.' }),
  description: optional(text(/^[^]{0,8192}$/, 'text of at most 8192 characters'), 'Text for people.'),
  includeMemory: always(z.boolean(), ALWAYS.snapshot.includeMemory, 'With the memory of a running machine.'),
  onDestroy: always(
    z.enum(['delete', 'keep']),
    ALWAYS.snapshot.onDestroy,
    'What happens to it when it is no longer wanted.',
  ),
}));
export type SnapshotSpec = z.infer<typeof SnapshotSpec>;
