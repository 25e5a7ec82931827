import type { MachineOutputs } from '../../spec';
import { propertiesOf } from '../guest/configuration';
import { stillnessOf, stillWord } from '../guest/stands-still';
import { ifThere } from '../observe/if-allowed';
import type { ObservedGuest } from '../observed';
import { macAddresses } from './devices';
import { guestAddresses } from './guest-addresses';
import type { OutputFacts } from './machine';
import { PveError, listSnapshots, readInterfaces, readStatus, type GuestAddress, type Pve } from '../pve';

/**
 * Reads what a guest's configuration does not tell: its true power, the addresses its agent knows, its snapshots.
 * Only for telling outputs: planning needs none of it.
 */
export async function seeGuest(pve: Pve, guest: ObservedGuest): Promise<OutputFacts> {
  const [{ powerState, still }, snapshots] = await Promise.all([
    standingOf(pve, guest),
    // real Proxmox has the request: a server without it has no snapshots either
    ifThere(listSnapshots(pve, guest)),
  ]);
  return {
    guest,
    powerState,
    still: stillnessOf({ ...guest, still }),
    snapshots: snapshots ?? [],
    interfaces: await interfacesOf(pve, guest, powerState),
    endpoint: pve.config.endpoints[0] ?? '',
  };
}

/** What is known of a guest of which only the configuration was read. */
export function unseenGuest(pve: Pve, guest: ObservedGuest): OutputFacts {
  return {
    guest,
    powerState: guest.still === undefined ? guest.power : 'paused',
    still: stillnessOf(guest),
    snapshots: [],
    interfaces: 'was not read',
    endpoint: pve.config.endpoints[0] ?? '',
  };
}

/** Whether the guest runs with the agent's device. What is only pending does not count. */
function hasAgent({ current }: Pick<ObservedGuest, 'current'>): boolean {
  return propertiesOf('agent', current['agent']).enabled === true;
}

/** Why a guest has no agent by its configuration; undefined: it may have one. */
export function agentMissing(guest: ObservedGuest): string | undefined {
  if (hasAgent(guest)) return undefined;
  return guest.pending['agent'] === undefined
    ? 'the guest agent is off in the configuration; set agent to true'
    : "the agent's device is missing until the guest restarts";
}

const NOT_ALLOWED = 'the guest agent may not be asked';

/** Whether what was said instead of the network is about the caller's rights: waiting does not change that. */
export function isNotAllowed(interfaces: OutputFacts['interfaces']): boolean {
  return typeof interfaces === 'string' && interfaces.startsWith(NOT_ALLOWED);
}

/** Whether what was said of the network tells an address of the guest's own cards. */
export function tellsAddress(interfaces: OutputFacts['interfaces'], guest: ObservedGuest): boolean {
  if (typeof interfaces === 'string') return false;
  return guestAddresses(interfaces, Object.values(macAddresses(guest))).length > 0;
}

/** What the agent says of the guest's network, or why it says nothing. */
export async function interfacesOf(
  pve: Pve,
  guest: ObservedGuest,
  powerState: MachineOutputs['powerState'],
): Promise<OutputFacts['interfaces']> {
  if (powerState === 'paused') return 'stands still';
  if (powerState !== 'running') return 'is off';
  if (!hasAgent(guest)) return 'the guest agent is off in the configuration';
  try {
    return await readInterfaces(pve, guest);
  } catch (error) {
    if (!(error instanceof PveError) || error.kind !== 'denied') throw error;
    return `${NOT_ALLOWED} (${error.facts.text.trim()})`;
  }
}

/** The true power of a guest, and whether it stands still. The listing is late with it, and does not know all of it. */
export async function standingOf(
  pve: Pve,
  guest: GuestAddress,
): Promise<{ powerState: MachineOutputs['powerState']; still: string | undefined }> {
  const status = await readStatus(pve, guest);
  const still = stillWord(status);
  if (status.lock === 'suspended') return { powerState: 'suspended', still };
  return { powerState: still === undefined ? status.status : 'paused', still };
}
