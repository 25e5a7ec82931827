import type { MachineOutputs } from '../../spec';
import type { Cause, Change } from '../action';
import type { Stillness } from '../guest/stands-still';
import { guestAddresses } from './guest-addresses';
import { effectiveAt } from '../machine/compare';
import { uuidOf } from '../guest/uuid';
import { conditionsOf } from './conditions';
import { diskOutputs, macAddresses } from './devices';
import { readDescription } from '../mark/description';
import type { ObservedGuest } from '../observed';
import { pendingChanges } from './pending';
import type { GuestInterfaces, Snapshot } from '../pve';

/** What is known of a guest when its outputs are reported. */
export interface OutputFacts {
  guest: ObservedGuest;
  powerState: MachineOutputs['powerState'];
  /** That it stands still, though Proxmox lists it as running. */
  still?: Stillness | undefined;
  /** What the agent says, or why it says nothing. */
  interfaces: GuestInterfaces | string;
  snapshots: Snapshot[];
  /** What waits for a restart, as a plan told it; absent: all that waits, also what no spec wants. */
  waiting?: Change[];
  /** What keeps it from being changed, as a plan told it. */
  waitsFor?: string[] | undefined;
  /** That it stays on a former image: a sentence without its subject. */
  keptImage?: string | undefined;
  endpoint: string;
}

/** The outputs of a machine that is there. They hold no time and no load. */
export function machineOutputs(seen: OutputFacts): MachineOutputs {
  const { guest, powerState, interfaces } = seen;
  const { vmid, node, current } = guest;
  const cards = macAddresses(guest);
  const ipAddresses = typeof interfaces === 'string' ? [] : guestAddresses(interfaces, Object.values(cards));
  const silent = typeof interfaces === 'string' ? interfaces : undefined;
  const phase = phaseOf(seen);
  const waiting = (seen.waiting ?? pendingChanges(guest)).map(shownChange);
  const pending = [...new Set(waiting.map(({ field }) => field))];
  const uuid = uuidOf(current);
  return {
    vmid,
    node,
    ...(uuid === undefined ? {} : { uuid }),
    ...(current['name'] === undefined ? {} : { name: current['name'] }),
    ...(guest.mark?.image === undefined ? {} : { madeFrom: guest.mark.image }),
    phase,
    conditions: conditionsOf({
      phase,
      isThere: phase !== 'Creating',
      addresses: ipAddresses,
      silent,
      cards: Object.keys(cards).length,
      waitsFor: seen.waitsFor,
      pending,
      keptImage: seen.keptImage,
      still: seen.still,
    }),
    powerState,
    cpu: processors(current),
    ipAddresses,
    macAddresses: cards,
    disks: diskOutputs(guest),
    restartRequired: waiting.length > 0,
    pendingChanges: waiting,
    consoleUrl: consoleUrl(seen),
    snapshots: seen.snapshots.map(snapshotOutput),
  };
}

/** The outputs of a machine that is paused: nothing was read of it. */
export function unreadOutputs(): MachineOutputs {
  return { ...absentOutputs(undefined, 'was not read: it is paused'), mode: 'paused' };
}

/** The outputs of a machine that has no guest; `error` says why, when that is no plain absence. */
export function absentOutputs(error?: string, unread?: string): MachineOutputs {
  const phase = error === undefined ? 'Pending' : 'Error';
  const nothing = { isThere: false, addresses: [], silent: undefined, cards: undefined };
  return {
    phase,
    conditions: conditionsOf({ ...nothing, phase, error, unread }),
    powerState: 'unknown',
    ipAddresses: [],
    macAddresses: {},
    disks: {},
    restartRequired: false,
    pendingChanges: [],
    snapshots: [],
  };
}

/** The outputs of a guest that is listed and cannot be read. */
export function unreadableOutputs(
  { vmid, node }: { vmid: number; node: string },
  why: string,
): MachineOutputs {
  const unknown = { addresses: [], silent: undefined, cards: undefined };
  const conditions = conditionsOf({ ...unknown, phase: 'Error', isThere: true, error: why });
  return { ...absentOutputs(why), vmid, node, conditions };
}

/** The outputs after an attempt that failed: what was last read stays, but for phase and conditions. */
export function failedOutputs(
  last: MachineOutputs,
  isThere: boolean,
  error: string,
  about: Cause['about'] | undefined,
): MachineOutputs {
  // each that was read tells its processors
  const cards = last.cpu && Object.keys(last.macAddresses).length;
  const addresses = { addresses: last.ipAddresses, silent: undefined };
  const conditions = conditionsOf({ ...addresses, phase: 'Error', isThere, cards, error, about });
  return { ...last, phase: 'Error', conditions };
}

function phaseOf({ guest: { lock, mark }, powerState: power, still }: OutputFacts): MachineOutputs['phase'] {
  if (lock === 'create' || lock === 'clone' || mark?.isUnfinished === true) return 'Creating';
  if (still?.isFault === true) return 'Error';
  return power === 'running' || power === 'paused' ? 'Running' : 'Stopped';
}

/** PVE counts cores for each socket and knows no threads. */
export function processors(current: Record<string, string>): NonNullable<MachineOutputs['cpu']> {
  const count = (key: string): number => Number(effectiveAt(current, { key }));
  const [cores, sockets] = [count('cores'), count('sockets')];
  return { cores, sockets, threads: cores * sockets };
}

function shownChange({ field, from, to }: Change): MachineOutputs['pendingChanges'][number] {
  return { field, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** Without its time: Terraform's outputs hold none. */
export function snapshotOutput({
  name,
  parent,
  description = '',
  vmstate,
}: Snapshot): MachineOutputs['snapshots'][number] {
  const { text } = readDescription(description);
  return {
    name,
    ...(parent === undefined ? {} : { parent }),
    ...(text === '' ? {} : { description: text }),
    ...(vmstate === undefined ? {} : { includesMemory: vmstate }),
  };
}

/** Where the console of a guest opens in a browser. */
export function consoleUrl({
  guest: { vmid, node, current },
  endpoint,
}: Pick<OutputFacts, 'guest' | 'endpoint'>): string {
  const query = new URLSearchParams({
    console: 'kvm',
    novnc: '1',
    vmid: String(vmid),
    vmname: current['name'] ?? '',
    node,
  });
  return `${endpoint}/?${query.toString()}`;
}
