import type { MachineOutputs } from '../spec';
import type { Change } from './action';
import { guestAddresses } from './guest-addresses';
import { uuidOf } from './guest-facts';
import { conditionsOf } from './outputs-conditions';
import { diskOutputs, macAddresses } from './outputs-devices';
import type { ObservedGuest } from './observed';
import type { GuestInterfaces } from './pve';

/** What is known of a guest when its outputs are told. */
export interface Seen {
  guest: ObservedGuest;
  powerState: MachineOutputs['powerState'];
  /** What the agent says, or why it says nothing. */
  interfaces: GuestInterfaces | string;
  /** What waits for a restart, in the spec's words; absent: it is told in Proxmox's. */
  waiting?: Change[];
  endpoint: string;
}

/** The outputs of a machine that is there. They hold no time and no load. */
export function machineOutputs(seen: Seen): MachineOutputs {
  const { guest, powerState, interfaces } = seen;
  const { vmid, node, current } = guest;
  const cards = macAddresses(guest);
  const ipAddresses = typeof interfaces === 'string' ? [] : guestAddresses(interfaces, Object.values(cards));
  const silent = typeof interfaces === 'string' ? interfaces : undefined;
  const phase = phaseOf(guest, powerState);
  const pendingChanges = (seen.waiting ?? pendingKeys(guest)).map(shownChange);
  const uuid = uuidOf(current);
  return {
    vmid,
    node,
    ...(uuid === undefined ? {} : { uuid }),
    ...(current['name'] === undefined ? {} : { name: current['name'] }),
    phase,
    conditions: conditionsOf({ phase, addresses: ipAddresses, silent, cards: Object.keys(cards).length }),
    powerState,
    cpu: processors(current),
    ipAddresses,
    macAddresses: cards,
    disks: diskOutputs(guest),
    restartRequired: pendingChanges.length > 0,
    pendingChanges,
    consoleUrl: consoleUrl(seen),
    snapshots: [],
  };
}

/** The outputs of a machine that has no guest; `error` says why, when that is no plain absence. */
export function absentOutputs(error?: string): MachineOutputs {
  const phase = error === undefined ? 'Pending' : 'Error';
  return {
    phase,
    conditions: conditionsOf({ phase, addresses: [], silent: undefined, cards: 0, error }),
    powerState: 'unknown',
    ipAddresses: [],
    macAddresses: {},
    disks: {},
    restartRequired: false,
    pendingChanges: [],
    snapshots: [],
  };
}

function phaseOf(
  { lock, mark }: ObservedGuest,
  power: MachineOutputs['powerState'],
): MachineOutputs['phase'] {
  if (lock === 'create' || lock === 'clone' || mark?.b === 1) return 'Creating';
  return power === 'running' || power === 'paused' ? 'Running' : 'Stopped';
}

/** PVE counts cores for each socket and knows no threads. */
function processors(current: Record<string, string>): MachineOutputs['cpu'] {
  const [cores, sockets] = [Number(current['cores'] ?? 1), Number(current['sockets'] ?? 1)];
  return { cores, sockets, threadsPerCore: 1, coresPerSocket: cores / sockets };
}

function pendingKeys({ current, pending }: ObservedGuest): Change[] {
  return Object.entries(pending)
    .filter(([key]) => key !== 'cipassword')
    .map(([key, to]) => ({ field: key, from: current[key], to: to ?? undefined, effect: 'restart' }));
}

function shownChange({ field, from, to }: Change): MachineOutputs['pendingChanges'][number] {
  return { field, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function consoleUrl({ guest: { vmid, node, current }, endpoint }: Seen): string {
  const query = new URLSearchParams({
    console: 'kvm',
    novnc: '1',
    vmid: String(vmid),
    vmname: current['name'] ?? '',
    node,
  });
  return `${endpoint}/?${query.toString()}`;
}
