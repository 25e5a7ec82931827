import * as z from 'zod';
import { cidrOf } from '../values/addresses';
import { optional } from '../fields/field';
import { strictObject } from '../fields/strict-object';
import { text, wants } from '../fields/wants';

const Address = strictObject(() => ({
  family: optional(z.enum(['ipv4', 'ipv6']), 'Only addresses of this family.'),
  interface: optional(text(/^\S{1,64}$/, 'the name of an interface in the guest'), 'Only this interface.'),
  cidr: optional(cidrOf(), 'Only addresses in this subnet.'),
}));

/**
 * What a run waits for once it has made or started a machine. A time-out is a warning: only an address that a program of
 * Terraform reads fails it.
 */
export const WaitForSpec = z.union(
  [z.enum(['nothing', 'agent', 'address']), strictObject(() => ({ address: Address }))],
  wants('"nothing", "agent", "address" or {"address": {"family": "ipv4"}}'),
);
export type WaitForSpec = z.infer<typeof WaitForSpec>;
