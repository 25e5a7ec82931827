import { setTimeout } from 'node:timers/promises';
import {
  listActiveTasks,
  listClusterTasks,
  listResources,
  readClusterStatus,
  readConfig,
  readDatacenterOptions,
  readPermissions,
  readVersion,
  type ActiveTask,
  type ClusterResources,
  type ClusterStatus,
  type ClusterTask,
  type DatacenterOptions,
  type GuestAddress,
  type GuestConfig,
  type Pve,
} from '../pve';
import { ifAllowed, ifListed, ifThere, ifTold } from './if-allowed';

/** What the runs of one process read of a cluster, besides its guests. Nothing is read before it is asked for. */
export class SharedReads {
  readonly resources: SharedReading<ClusterResources>;
  readonly status: SharedReading<ClusterStatus | undefined>;
  readonly options: SharedReading<DatacenterOptions | undefined>;
  /** `hidden`: the caller is not told them; undefined: the server tells nobody any. */
  readonly permissions: SharedReading<Record<string, Record<string, number>> | 'hidden' | undefined>;
  readonly version: SharedReading<{ version: string } | undefined>;
  /** Says where to look: see `listClusterTasks`. */
  readonly tasks: SharedReading<ClusterTask[]>;
  private readonly configs = new Map<string, SharedReading<GuestConfig>>();
  private readonly tasksOfNodes = new Map<string, SharedReading<ActiveTask[]>>();

  constructor(
    private readonly pve: Pve,
    /** Of the listing and of the quorum: see `soon` of `SharedReading`. */
    gatherMs = 0,
  ) {
    this.resources = new SharedReading(() => listResources(pve), { gatherMs });
    this.status = new SharedReading(() => ifAllowed(readClusterStatus(pve)), { gatherMs });
    this.options = new SharedReading(() => ifAllowed(readDatacenterOptions(pve)));
    this.permissions = new SharedReading(async () => ifThere(rightsIfTold(pve)));
    this.tasks = new SharedReading(() => listClusterTasks(pve));
    this.version = new SharedReading(() => ifTold(readVersion(pve)));
  }

  /** The configuration of what is cloned, which many machines are made from at once. */
  configOf(source: GuestAddress): SharedReading<GuestConfig> {
    const place = `${source.node}/${source.vmid}`;
    const config = this.configs.get(place) ?? new SharedReading(() => readConfig(this.pve, source));
    this.configs.set(place, config);
    return config;
  }

  /** The tasks that run on a node. */
  tasksOn(node: string): SharedReading<ActiveTask[]> {
    const tasks = this.tasksOfNodes.get(node) ?? new SharedReading(() => listActiveTasks(this.pve, node));
    this.tasksOfNodes.set(node, tasks);
    return tasks;
  }
}

async function rightsIfTold(pve: Pve): Promise<Record<string, Record<string, number>> | 'hidden'> {
  return (await ifListed(readPermissions(pve))) ?? 'hidden';
}

/** How old a reading may be that another run is served with. */
const RECENT_MS = 1_000;
/** How long a reading holds up the next one. Its answer may be lost: who asks now is not to wait until it is given up. */
const HOLDS_UP_MS = 2_000;

/** Whoever asks so short a time after a reading began is not alone. */
const BUSY_MS = 250;

interface Timing {
  /** How long `soon` waits for others that ask the same. */
  gatherMs?: number;
  clock?: () => number;
  pause?: (ms: number) => Promise<unknown>;
  holdsUpMs?: number;
}

/** One thing that the runs of a process read of a cluster, and read together where they ask at the same time. */
export class SharedReading<T> {
  private last: { begunAt: number; value: Promise<T>; isAnswered: boolean } | undefined;
  private next: Promise<T> | undefined;

  private readonly timing: Required<Timing>;

  constructor(
    private readonly read: () => Promise<T>,
    timing: Timing = {},
  ) {
    const real = { clock: () => performance.now(), pause: (ms: number) => setTimeout(ms) };
    this.timing = { gatherMs: 0, holdsUpMs: HOLDS_UP_MS, ...real, ...timing };
  }

  /** A reading that begins after this call. Whoever asks while one is under way shares the next one. */
  now(): Promise<T> {
    this.next ??= settled(this.last?.value, this.timing.holdsUpMs).then(() => {
      this.next = undefined;
      return this.begin();
    });
    return this.next;
  }

  /**
   * The same, for who can wait a moment. Where one began a moment ago, several runs are at work, and those that ask in
   * the next one share a reading. An interrupt ends the wait of its own run and no other's.
   */
  soon(interrupt?: AbortSignal): Promise<T> {
    const reading = this.somewhatLater();
    return interrupt === undefined ? reading : orInterrupt(reading, interrupt);
  }

  private async somewhatLater(): Promise<T> {
    const { last, timing } = this;
    const asked = timing.clock();
    if (last !== undefined && asked - last.begunAt < BUSY_MS) await timing.pause(timing.gatherMs);
    return this.since(asked);
  }

  /** A reading that began a second ago at most, or so long: to find things with, never to decide a write. */
  recent(mostMs = RECENT_MS): Promise<T> {
    return this.since(this.timing.clock() - mostMs);
  }

  /** A reading that began at this time of `performance.now()` or later: the last one where it did. */
  since(time: number): Promise<T> {
    return this.lastSince(time) ?? this.now();
  }

  /** The last reading, where it began at this time or later and its answer is not overdue. Reads nothing. */
  lastSince(time: number): Promise<T> | undefined {
    const { last, timing } = this;
    if (last === undefined || last.begunAt < time) return undefined;
    const isOverdue = !last.isAnswered && timing.clock() - last.begunAt > timing.holdsUpMs;
    return isOverdue ? undefined : last.value;
  }

  /** To be called where the last reading was found to be true no more: who asks next begins another one. */
  forget(): void {
    this.last = undefined;
  }

  private begin(): Promise<T> {
    const begun = { begunAt: this.timing.clock(), value: this.read(), isAnswered: false };
    this.last = begun;
    // nobody is served with a failure of somebody else's
    begun.value.then(
      () => (begun.isAnswered = true),
      () => {
        if (this.last === begun) this.last = undefined;
      },
    );
    return begun.value;
  }
}

/** Waits until it has ended, well or not, but not longer than so. */
async function settled(reading: Promise<unknown> | undefined, mostMs: number): Promise<void> {
  const ended = new AbortController();
  const time = setTimeout(mostMs, undefined, { signal: ended.signal }).catch(() => undefined);
  await Promise.race([Promise.allSettled([reading]), time]);
  ended.abort();
}

/** An interrupt ends the wait of its own run for what it shares with others. */
export async function orInterrupt<T>(shared: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController();
  const ended = { signal: over.signal };
  const interrupted = new Promise<void>(resolve => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), ended);
  });
  try {
    await Promise.race([shared, interrupted]);
    signal.throwIfAborted();
    return await shared;
  } finally {
    over.abort();
  }
}
