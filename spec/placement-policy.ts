import * as z from 'zod';
import { DnsLabel } from './names';
import { PlacementSpec } from './placement';

/** A placement that many machines name. It is resolved into them before a desired state is written. */
export const PlacementPolicy = z.strictObject({
  name: DnsLabel.meta({ description: 'What machines call it.' }),
  ...PlacementSpec.shape,
});
export type PlacementPolicy = z.infer<typeof PlacementPolicy>;
