import * as z from 'zod';
import { ALWAYS } from '../fields/defaults';
import { always, optional } from '../fields/field';
import { LabelKey, LabelValue, NodeName } from '../values/names';
import { MiB, sizeOf } from '../values/size';
import { strictObject } from '../fields/strict-object';
import { wants, wholeNumber } from '../fields/wants';

/** A rule about other machines. Those that match are kept away, or close. `soft`: what a soft one does. */
const neighbourRule = (mode: 'hard' | 'soft', soft: string) =>
  strictObject(() => ({
    key: LabelKey.meta({ description: 'A label, or "tag" for the tags of every guest.' }),
    operator: z.enum(['In', 'NotIn', 'Exists']).meta({ description: 'How the label is compared.' }),
    values: optional(z.array(z.string(wants('text'))), 'Compared with the label; none with Exists.'),
    mode: always(z.enum(['hard', 'soft']), mode, `Hard is never violated; soft ${soft}.`),
  }));
const Affinity = neighbourRule(ALWAYS.placement.affinity.mode, 'chooses among the nodes that fit');
const AntiAffinity = neighbourRule(ALWAYS.placement.antiAffinity.mode, 'is avoided');

/** Where a new machine may go. A machine that exists stays where it is. */
export const PlacementSpec = strictObject(() => ({
  nodes: optional(z.array(NodeName), 'Only these nodes.'),
  nodeSelector: optional(z.record(LabelKey, LabelValue), 'Only nodes that carry all these labels.'),
  affinity: optional(z.array(Affinity), 'On one node with the machines that match.'),
  antiAffinity: optional(z.array(AntiAffinity), 'Not beside machines that match.'),
  strategy: always(
    z.enum(['spread', 'pack']),
    ALWAYS.placement.strategy,
    'Emptiest or fullest node first, by the memory that no guest was promised; before it count node, and that a clone need not move.',
  ),
  maxVMsPerNode: optional(
    wholeNumber(1, 100_000),
    'At most so many guests on its node, those that come later counted.',
  ),
  minFreeMemory: optional(sizeOf(0, MiB), 'Memory that new machines leave free on its node.'),
}));
export type PlacementSpec = z.infer<typeof PlacementSpec>;
export type NeighbourRule = z.infer<typeof AntiAffinity>;
