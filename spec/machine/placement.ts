import * as z from 'zod';
import { ALWAYS } from '../fields/defaults';
import { always, optional } from '../fields/field';
import { LabelKey, LabelValue, NodeName } from '../values/names';
import { MiB, sizeOf } from '../values/size';
import { strictObject } from '../fields/strict-object';
import { wants, wholeNumber } from '../fields/wants';

const AntiAffinity = strictObject(() => ({
  key: LabelKey.meta({ description: 'A label, or "tag" for the tags of every guest.' }),
  operator: z.enum(['In', 'NotIn', 'Exists']).meta({ description: 'How the label is compared.' }),
  values: optional(z.array(z.string(wants('text'))), 'Compared with the label; none with Exists.'),
  mode: always(
    z.enum(['hard', 'soft']),
    ALWAYS.placement.antiAffinity.mode,
    'Hard is never violated; soft is avoided.',
  ),
}));

/** Where a new machine may go. A machine that exists stays where it is. */
export const PlacementSpec = strictObject(() => ({
  nodes: optional(z.array(NodeName), 'Only these nodes.'),
  nodeSelector: optional(z.record(LabelKey, LabelValue), 'Only nodes that carry all these labels.'),
  antiAffinity: optional(z.array(AntiAffinity), 'Not beside machines that match.'),
  strategy: always(
    z.enum(['spread', 'pack']),
    ALWAYS.placement.strategy,
    'Emptiest or fullest node first. Without it a clone goes to a node that has its template while it fits there, to the emptiest of them.',
  ),
  maxVMsPerNode: optional(wholeNumber(1, 100_000), 'At most so many guests on the chosen node.'),
  minFreeMemory: optional(sizeOf(0, MiB), 'Memory that must stay free on the chosen node.'),
}));
export type PlacementSpec = z.infer<typeof PlacementSpec>;
