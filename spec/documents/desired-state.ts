import * as z from 'zod';
import { ClusterSpec } from '../cluster/cluster';
import { ExistingSpec } from '../cluster/existing';
import { optional } from '../fields/field';
import { MachineSpec } from '../machine/machine';
import { Owner } from '../values/names';
import { NodeSpec } from '../cluster/node';
import { PreparedImage } from '../cluster/prepared-image';
import { SnapshotSpec } from '../machine/snapshot';
import { strictObject } from '../fields/strict-object';
import { wants } from '../fields/wants';

/** The version of the document. It changes when an old document would mean something else. */
export const SPEC_VERSION = 1;

/** Everything that one owner wants of one cluster. */
export const DesiredState = strictObject(() => ({
  $schema: optional(z.string(wants('text')), 'Where the schema of this document is, for editors.'),
  version: z
    .literal(
      SPEC_VERSION,
      wants(`${SPEC_VERSION}`, given =>
        given === `${SPEC_VERSION}`
          ? 'Write it without quotes.'
          : `This program reads version ${SPEC_VERSION}: write the document for it, or use another release.`,
      ),
    )
    .meta({ description: 'Version of this document.' }),
  owner: Owner.meta({ description: 'Who owns the machines: only their owner changes them.' }),
  cluster: ClusterSpec.meta({ description: 'The cluster that it is wanted of.' }),
  nodes: optional(z.array(NodeSpec), 'What is said about nodes.'),
  machines: z.array(MachineSpec).meta({ description: 'The machines.' }),
  images: optional(
    z.array(PreparedImage),
    'Images that are made ready as templates before machines are cloned from them.',
  ),
  snapshots: optional(z.array(SnapshotSpec), 'Snapshots of the machines, each taken once.'),
  existing: optional(
    z.array(ExistingSpec),
    "Guests that are there and stay somebody else's: status tells their outputs, and nothing is ever written to them.",
  ),
}));
export type DesiredState = z.infer<typeof DesiredState>;

/** The same with parts missing: those that are wrong or not known yet, when the others are checked all the same. */
export const PartialState = strictObject(() => DesiredState.partial().shape);
export type PartialState = z.infer<typeof PartialState>;
