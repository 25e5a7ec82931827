import { ALWAYS, milliseconds, type MachineSpec, type WaitForSpec } from '../../../spec';
import { MissingOutputError } from '../../errors';
import type { MachineRun } from '../machine-run';
import { needsToRun } from './needs-to-run';
import { noteAddresses } from './note-addresses';
import { guestAddresses, type AddressFilter } from '../../outputs/guest-addresses';
import type { ObservedGuest } from '../../observed';
import { macAddresses } from '../../outputs/devices';
import { steady, waitUntil, type GuestInterfaces } from '../../pve';
import { agentMissing, interfacesOf, isNotAllowed } from '../../outputs/read-guest';
import type { Wanted } from '../../run/wanted';

/**
 * Waits for the agent or an address, where the spec asks for it or somebody reads the addresses. To be called once a
 * machine is as wanted; `hasStarted`: this run has started it. Bounded. A time-out is a warning that says what is missing;
 * it fails where an address is read.
 */
export async function waitForGuest(
  machine: MachineRun,
  guest: ObservedGuest,
  hasStarted: boolean,
): Promise<void> {
  const { id, run, wanted } = machine;
  const { spec, readsAddress = false } = wanted;
  const what = awaited(wanted);
  if (what === 'nothing' || !(hasStarted || isUnknown(machine, guest))) return;
  if (!readsAddress && (spec.power ?? 'running') !== 'running') return;
  const giveUp = (why: string): void => {
    if (readsAddress) throw new MissingOutputError(id, ['ipAddresses'], why);
    machine.reporting.warn(`does not wait any longer for ${nameOf(what)}: ${why}.`);
  };
  const isOff = guest.power !== 'running' && `guest ${guest.vmid} on ${guest.node} is off`;
  const inVain = agentMissing(guest) ?? (isOff || undefined);
  if (inVain !== undefined) return giveUp(inVain);
  const atMost = spec.timeouts?.agent ?? ALWAYS.timeouts.agent;
  const seen = await lastSeen(machine, guest, { what, filter: filterOf(what, spec) }, atMost);
  if (seen.missing !== undefined) {
    // an agent that does not answer may be one of a guest that stands still
    if (!seen.isFinal) await needsToRun(machine, guest);
    return giveUp(seen.isFinal ? seen.missing : `${seen.missing}, ${atMost} after it was first asked`);
  }
  // whoever reads them are Terraform's facts
  if (wanted.token !== undefined && what !== 'agent') await noteAddresses(run.pve, guest, seen.addresses);
}

/** Whether somebody reads an address that nobody knows; or an earlier try of this apply may not have waited to its end. */
function isUnknown({ wanted: { readsAddress, token }, done }: MachineRun, { mark }: ObservedGuest): boolean {
  const isAgain = token !== undefined && done.foundToken === token;
  return readsAddress === true && (mark?.addresses === undefined || isAgain);
}

function awaited({ spec: { waitFor = 'nothing' }, readsAddress }: Wanted): WaitForSpec {
  return readsAddress === true && typeof waitFor !== 'object' ? 'address' : waitFor;
}

/** Where the spec names no address, it is of the family that its cards are to have. Of two it is IPv4, which is told first. */
function filterOf(what: WaitForSpec, { networks = [] }: MachineSpec): AddressFilter {
  if (typeof what === 'object') return what.address;
  const plugged = networks.filter(({ linkDown }) => linkDown !== true);
  const isIpv6 = (address: string | undefined): boolean => address?.includes(':') === true;
  const said = plugged.flatMap(({ ipv4, ipv6, staticIP }) => [
    ...(ipv4 !== undefined || (staticIP !== undefined && !isIpv6(staticIP.address)) ? ['ipv4' as const] : []),
    ...(ipv6 !== undefined || isIpv6(staticIP?.address) ? ['ipv6' as const] : []),
  ]);
  return { family: said.includes('ipv4') ? 'ipv4' : said[0] };
}

/** What is waited for, and which addresses are one. */
interface Awaited {
  what: WaitForSpec;
  filter: AddressFilter;
}

interface GuestProgress {
  addresses: string[];
  /** What is still missing; undefined when the guest is as far as it should be. */
  missing: string | undefined;
  /** Waiting brings no more. */
  isFinal?: boolean;
}

/** What the guest told last: all that is waited for, or what it had when the time was up. */
async function lastSeen(
  { pve, reporting: { say }, signal }: MachineRun,
  guest: ObservedGuest,
  awaited: Awaited,
  atMost: string,
): Promise<GuestProgress> {
  let last: GuestProgress = { addresses: [], missing: 'nobody asked' };
  const isThere = async (): Promise<true | undefined> => {
    last = seenIn(await interfacesOf(pve, guest, 'running'), guest, awaited);
    return last.missing === undefined || last.isFinal || undefined;
  };
  let isTold = false;
  const pausing = (): void => {
    if (!isTold) say(`waits for ${nameOf(awaited.what)}, at most ${atMost}`);
    isTold = true;
  };
  const until = performance.now() + milliseconds(atMost);
  await waitUntil(isThere, { pauses: steady(pve.config.poll), until, signal, pausing });
  return last;
}

function seenIn(
  interfaces: GuestInterfaces | string,
  guest: ObservedGuest,
  { what, filter }: Awaited,
): GuestProgress {
  if (typeof interfaces === 'string') {
    if (isNotAllowed(interfaces)) return { addresses: [], missing: interfaces, isFinal: true };
    const missing = `no agent answers, it may not be installed in the guest (${interfaces})`;
    return { addresses: [], missing };
  }
  const cards = Object.values(macAddresses(guest));
  const isEnough = what === 'agent' || guestAddresses(interfaces, cards, filter).length > 0;
  return {
    addresses: guestAddresses(interfaces, cards),
    missing: isEnough ? undefined : missingOf(what, filter),
  };
}

const FAMILIES = { ipv4: 'an IPv4 address', ipv6: 'an IPv6 address' };

function missingOf(what: WaitForSpec, { family }: AddressFilter): string {
  if (typeof what === 'object') return 'the agent answers, and has no such address yet';
  const address = family === undefined ? 'an address' : FAMILIES[family];
  return `the agent answers, and no card of the guest has ${address} yet`;
}

function nameOf(what: WaitForSpec): string {
  if (what === 'agent') return 'the guest agent';
  const { family, interface: card, cidr } = typeof what === 'object' ? what.address : {};
  return ['an address', family, card && `on ${card}`, cidr && `in ${cidr}`].filter(Boolean).join(' ');
}
