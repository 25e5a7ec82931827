import * as z from 'zod';
import { optional } from '../fields/field';
import { ConfigId } from '../values/names';
import { strictObject } from '../fields/strict-object';
import { wholeNumber } from '../fields/wants';

/** Membership in Proxmox's high availability. The state that it keeps is that of `power`. */
export const HaSpec = strictObject(() => ({
  group: optional(ConfigId, 'The HA group that it is in. Proxmox VE 8 only: later ones have rules.'),
  maxRestart: optional(wholeNumber(0, 1000), 'How often a failed start is tried again on the same node.'),
  maxRelocate: optional(wholeNumber(0, 1000), 'How often it is then tried on another node.'),
  failback: optional(z.boolean(), 'Go back to its best node once that is there. Proxmox VE 9 and later.'),
}));
