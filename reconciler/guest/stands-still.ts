import { asWord } from './as-word';

/** A guest that Proxmox lists as running, and that does nothing until somebody helps it. */
export interface Stillness {
  /** The reason of its condition Ready. */
  reason: string;
  /** Something went wrong. Else somebody wanted it so, or its own system. */
  isFault: boolean;
  /** What is so, after the name of the guest. */
  says: string;
  remedy: string;
  /** Both, with the place of the guest. */
  text: string;
}

interface StillReason {
  reason: string;
  isFault: boolean;
  says: string;
  /** What has to be done before the verb. */
  first?: string;
  /** What ends it. */
  by: 'resume' | 'stop';
}

// the states of qemu's query-status in which no processor of the guest runs (assumed but for paused and prelaunch, which
// recording 70 shows). Not here: those that pass by themselves, of a start, a migration, a snapshot or a shutdown
const ROWS: Readonly<Record<string, StillReason>> = {
  'io-error': {
    reason: 'IoError',
    isFault: true,
    says: 'a disk could not be written or read, so its storage may be full or away',
    first: 'Free the storage, or bring it back',
    by: 'resume',
  },
  'internal-error': {
    reason: 'InternalError',
    isFault: true,
    says: 'qemu met an error after which the guest cannot go on',
    by: 'stop',
  },
  'guest-panicked': { reason: 'GuestPanicked', isFault: true, says: 'its system has crashed', by: 'stop' },
  watchdog: { reason: 'Watchdog', isFault: true, says: 'its watchdog found that it hangs', by: 'stop' },
  paused: { reason: 'GuestPaused', isFault: false, says: 'somebody paused it', by: 'resume' },
  prelaunch: {
    reason: 'GuestPaused',
    isFault: false,
    says: 'it waits before its first instruction',
    by: 'resume',
  },
  suspended: { reason: 'GuestSleeps', isFault: false, says: 'its own system sleeps', by: 'resume' },
  debug: { reason: 'GuestPaused', isFault: false, says: 'a debugger holds it', by: 'resume' },
};

/** What qemu says of a guest. */
export interface QemuStatus {
  status?: string | undefined;
  qmpstatus?: string | null | undefined;
  /** Seconds since it was started. */
  uptime?: number | null | undefined;
}

const STARTS_FOR_S = 60;

/** Qemu's word for a guest that stands still; undefined: it is off, runs, or is only on its way. */
export function stillWord({ status, qmpstatus, uptime }: QemuStatus): string | undefined {
  const word = qmpstatus ?? '';
  const isStarting = word === 'prelaunch' && (uptime ?? 0) < STARTS_FOR_S;
  return status === 'running' && Object.hasOwn(ROWS, word) && !isStarting ? word : undefined;
}

/** What ends it; undefined for a guest that does not stand still. */
export const endOfStillness = (word: string | undefined): StillReason['by'] | undefined =>
  ROWS[word ?? '']?.by;

interface Guest {
  vmid: number;
  node: string;
  still?: string | undefined;
  lock: string | undefined;
  current: Readonly<Record<string, string>>;
  mark?: { machine: string } | undefined;
}

/** How a guest stands still; undefined where it does not. What a task of Proxmox holds for a while is no matter of people. */
export function stillnessOf(guest: Guest): Stillness | undefined {
  const { vmid, node, still = '', lock, current, mark } = guest;
  const row = ROWS[still];
  if (row === undefined) return undefined;
  const isMeant = lock !== undefined || current['freeze'] === '1';
  if (isMeant && !row.isFault) return undefined;
  const { reason, isFault, says, first, by } = row;
  const verb = `qm ${by} ${vmid} on ${node}`;
  const ours = mark && `, or pve-reconciler power ${by} ${asWord(mark.machine, 'ID')} --spec FILE`;
  const then = by === 'stop' ? ' The next apply starts it again, where its spec says power: running.' : '';
  const meant = isFault ? '' : ' Where it is to stay so, say power: unmanaged in its spec.';
  const remedy = `${first === undefined ? 'Run' : `${first}, then run`} ${verb}${ours ?? ''}.${then}${meant}`;
  const is = `stands still (${still}): ${says}.`;
  return { reason, isFault, says: is, remedy, text: `VM ${vmid} on ${node} ${is} ${remedy}` };
}
