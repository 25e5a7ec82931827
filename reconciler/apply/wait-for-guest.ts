import { ALWAYS, milliseconds, type MachineSpec, type WaitForSpec } from '../../spec';
import type { Run } from '../run/run';
import { guestAddresses, type AddressFilter } from '../outputs/guest-addresses';
import type { ObservedGuest } from '../observed';
import { macAddresses } from '../outputs/devices';
import { readInterfaces, steady, waitUntil, type GuestInterfaces } from '../pve';
import { agentMissing } from '../outputs/read-guest';

/**
 * Waits for what the spec says after a creation: the agent, or an address. Bounded; a time-out is a warning that says
 * what is missing, never a failure.
 */
export async function waitForGuest(run: Run, spec: MachineSpec, guest: ObservedGuest): Promise<void> {
  const wanted = spec.waitFor ?? 'nothing';
  if (wanted === 'nothing' || (spec.power ?? 'running') !== 'running') return;
  const warn = (why: string): void =>
    run.report({
      kind: 'warning',
      machine: spec.id,
      text: `does not wait any longer for ${nameOf(wanted)}: ${why}.`,
    });
  const noAgent = agentMissing(guest);
  if (noAgent !== undefined) return warn(noAgent);
  const until = Date.now() + milliseconds(spec.timeouts?.agent ?? ALWAYS.timeouts.agent);
  const { pve, signal } = run;
  let missing: string | undefined;
  const isThere = async (): Promise<true | undefined> => {
    missing = missingIn(await readInterfaces(pve, guest), guest, wanted);
    return missing === undefined || undefined;
  };
  await waitUntil(isThere, { pauses: steady(pve.config.poll), until, signal });
  if (missing !== undefined) warn(missing);
}

/** What is still missing; undefined when the guest is as far as it should be. */
function missingIn(
  interfaces: GuestInterfaces | string,
  guest: ObservedGuest,
  wanted: WaitForSpec,
): string | undefined {
  if (typeof interfaces === 'string')
    return `no agent answers, it may not be installed in the guest (${interfaces})`;
  if (wanted === 'agent') return undefined;
  const filter: AddressFilter = typeof wanted === 'object' ? wanted.address : {};
  const found = guestAddresses(interfaces, Object.values(macAddresses(guest)), filter);
  return found.length > 0 ? undefined : 'the agent answers, and has no such address yet';
}

function nameOf(wanted: WaitForSpec): string {
  if (wanted === 'agent') return 'the guest agent';
  const { family, interface: card, cidr } = typeof wanted === 'object' ? wanted.address : {};
  return ['an address', family, card && `on ${card}`, cidr && `in ${cidr}`].filter(Boolean).join(' ');
}
