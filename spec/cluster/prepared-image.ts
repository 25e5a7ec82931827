import type * as z from 'zod';
import { optional } from '../fields/field';
import { ImageSpec } from '../machine/image';
import { DnsLabel, MachineId, NodeName, StorageId, VmName } from '../values/names';
import { strictObject } from '../fields/strict-object';
import { setOf, wholeNumber } from '../fields/wants';

/** An image that is made ready before machines name it: a template that exists, or one built from a downloaded disk. */
export const PreparedImage = strictObject(() => ({
  name: MachineId.meta({ description: 'What machines call it.' }),
  cluster: optional(DnsLabel, 'The cluster, where there are several.'),
  template: ImageSpec.shape.template,
  url: ImageSpec.shape.url,
  file: ImageSpec.shape.file,
  checksum: ImageSpec.shape.checksum,
  storage: ImageSpec.shape.storage,
  templateName: optional(VmName, 'Name of the template that is built.'),
  vmid: optional(wholeNumber(100, 999_999_999), 'Its number. Without it the highest free one.'),
  diskStorage: optional(StorageId, "Storage of the template's disk."),
  nodes: optional(setOf(NodeName), 'Nodes that get a template of their own.'),
}));
export type PreparedImage = z.infer<typeof PreparedImage>;
