import * as z from 'zod';
import { ALWAYS } from '../fields/defaults';
import { always, optional } from '../fields/field';
import { DnsLabel, LabelKey, LabelValue, NodeName } from '../values/names';
import { MiB, sizeOf } from '../values/size';
import { strictObject } from '../fields/strict-object';
import { wholeNumber } from '../fields/wants';

/** What is said about one node: how much may be placed on it, and how machines select it. */
export const NodeSpec = strictObject(() => ({
  cluster: optional(DnsLabel, 'The cluster that the node belongs to.'),
  nodeName: NodeName.meta({ description: 'The name that Proxmox gives the node.' }),
  maxVMs: optional(wholeNumber(0, 100_000), 'At most so many guests.'),
  minFreeMemory: optional(sizeOf(0, MiB), 'Memory that placement leaves free.'),
  labels: optional(z.record(LabelKey, LabelValue), 'What nodeSelector matches.'),
  schedulable: always(z.boolean(), ALWAYS.node.schedulable, 'False: nothing new is placed here.'),
}));
export type NodeSpec = z.infer<typeof NodeSpec>;
