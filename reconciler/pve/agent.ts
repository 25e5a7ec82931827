import * as z from 'zod';
import type { Pve } from './client';
import { PveError } from './errors';
import type { GuestAddress } from './qemu';

const Interfaces = z.object({
  result: z.array(
    z.object({
      name: z.string(),
      'hardware-address': z.string().optional(),
      'ip-addresses': z
        .array(
          z.object({
            'ip-address': z.string(),
            'ip-address-type': z.enum(['ipv4', 'ipv6']),
            prefix: z.number(),
          }),
        )
        .optional(),
    }),
  ),
});
export type GuestInterfaces = z.infer<typeof Interfaces>['result'];

/** What the agent in the guest says of its network; the reason as text when no agent answers. */
export async function readInterfaces(
  pve: Pve,
  { node, vmid }: GuestAddress,
): Promise<GuestInterfaces | string> {
  const path = `/nodes/${encodeURIComponent(node)}/qemu/${vmid}/agent/network-get-interfaces`;
  try {
    return (await pve.call({ method: 'GET', path, answer: Interfaces })).result;
  } catch (error) {
    // qemu-server API2/Qemu/Agent.pm: no agent configured, guest not running, agent not running
    if (error instanceof PveError && error.kind === 'failed') return error.facts.text.trim();
    throw error;
  }
}
