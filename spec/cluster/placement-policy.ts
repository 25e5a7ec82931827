import type * as z from 'zod';
import { DnsLabel } from '../values/names';
import { PlacementSpec } from '../machine/placement';
import { strictObject } from '../fields/strict-object';

/** A placement that many machines name. It is resolved into them before a desired state is written. */
export const PlacementPolicy = strictObject(() => ({
  name: DnsLabel.meta({ description: 'What machines call it.' }),
  ...PlacementSpec.shape,
}));
export type PlacementPolicy = z.infer<typeof PlacementPolicy>;
