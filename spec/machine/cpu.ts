import * as z from 'zod';
import { optional } from '../fields/field';
import { strictObject } from '../fields/strict-object';
import { decimal, setOf, text, wants, wholeNumber } from '../fields/wants';

/** Processors. The guest sees cores × sockets of them. */
export const CpuSpec = strictObject(() => ({
  cores: optional(
    wholeNumber(1, 128),
    'Cores of each socket, as PVE counts: the guest sees cores × sockets.',
  ),
  sockets: optional(wholeNumber(1, 4), "PVE's sockets."),
  threadsPerCore: optional(
    wholeNumber(1, 2),
    'PVE has no such key: it is only checked that cores can be divided by it.',
  ),
  type: optional(text(/^[a-zA-Z0-9_.-]+$/, 'a CPU model, such as "host" or "x86-64-v2-AES"'), 'CPU model.'),
  flags: optional(
    setOf(text(/^[+-][a-zA-Z0-9\-_.]+$/, 'a flag with its sign, such as "+aes"')),
    'CPU flags.',
  ),
  limit: optional(decimal(0, 128), 'At most so many CPUs worth of time; 0 is no limit.'),
  // Proxmox with cgroup v2, which version 9 always has, stores 10000 for anything above (behaviour.md §15.5)
  units: optional(wholeNumber(1, 10_000), 'Weight against other guests.'),
  numa: optional(z.boolean(), 'NUMA; memory hotplug needs it.'),
  vcpus: optional(wholeNumber(1, 512), 'CPUs plugged in at start.'),
  affinity: optional(
    text(/^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$/, 'a list of host CPUs, such as "0-3,8"'),
    'Host CPUs that the guest may use. Only root@pam may set it.',
  ),
  hidden: optional(z.boolean(), 'Hide KVM from the guest.'),
  hvVendorId: optional(text(/^[a-zA-Z0-9]{1,12}$/, '1 to 12 letters and digits'), 'Hyper-V vendor id.'),
  physBits: optional(
    z.union([z.literal('host'), wholeNumber(8, 64)], wants('"host" or a whole number from 8 to 64')),
    'Physical address bits.',
  ),
  guestPhysBits: optional(wholeNumber(32, 64), 'Physical address bits that the guest sees.'),
  level: optional(wholeNumber(0, 4_294_967_295), 'Highest CPUID level.'),
}));
export type CpuSpec = z.infer<typeof CpuSpec>;
