import { accessTo, type ClusterAccess } from '../config/cluster-access';
import { filesOfConfiguration } from '../config/files-of-configuration';
import { refuseHanging } from '../config/named-file';
import { InputError, messageOf } from '../errors';
import type { Options, Surroundings } from '../input/surroundings';
import { refuseWantedTwice } from '../input/wanted-twice';
import { EXIT } from '../report/exit-code';
import type { LogEntry } from '../report/log-line';
import { Pause } from './pause';
import { ClusterLoops } from './cluster-loops';
import { DaemonView } from './daemon-view';
import { listen } from './http/listen';
import { routesFor } from './routes';
import { Metrics } from './metrics';
import { daemonSettings, type DaemonSettings } from './daemon-settings';
import type { DesiredSource, Sourced } from './sources/desired-source';
import { Sources } from './sources/sources';
import { UntilTaken } from './sources/until-taken';
import type { Sharing } from './sharing';
import { WorkLimit } from './work-limit';

/** Files are looked at as often as this, or as the interval says where that is more often. */
const LOOK_MS = 5_000;
/** A machine that has worked for so long waits for something. */
const TURN_MS = 30_000;

/**
 * Keeps Proxmox as the desired states say, until it is interrupted. Throws where it cannot even begin.
 * `sources`: where they are read; absent: from the files that the options name. `sharing`: with other hosts; absent: with none.
 */
export async function runDaemon(
  around: Surroundings,
  options: Options,
  { sources = new Sources(options, around), sharing }: { sources?: DesiredSource; sharing?: Sharing } = {},
): Promise<number> {
  const settings = daemonSettings(around.environment);
  const first = await firstReading(sources, around.signal);
  if (first === undefined && around.signal.aborted) return EXIT.done;
  const daemon = new Daemon(settings, sources, { prunes: options.prune === true, sharing }, around);
  const accesses = first && (await accessesTo(first));
  const closeServers = await listen(routesFor(settings, daemon.view, daemon.metrics), (variable, address) =>
    around.reporter.tell({ level: 'info', message: 'Listening', fields: { variable, address } }),
  );
  try {
    if (first !== undefined && accesses !== undefined) await daemon.run(first, accesses);
    else await daemon.waitAndRun();
  } finally {
    await closeServers();
  }
  return EXIT.done;
}

/** What is wrong before anything runs: a host that stands by should say it now, and not when it is needed. Sends nothing. */
export async function checkDaemon(around: Surroundings, options: Options): Promise<void> {
  daemonSettings(around.environment);
  const first = await firstReading(new Sources(options, around), around.signal);
  if (first !== undefined) await accessesTo(first);
}

/**
 * What is wrong before anything runs ends the program: there is no good reading to go on with. Undefined: interrupted, or
 * nobody answers.
 */
async function firstReading(sources: DesiredSource, signal: AbortSignal): Promise<Sourced | undefined> {
  const pause = new Pause();
  while (!signal.aborted) {
    const read = await sources.readIfNew();
    if (read !== undefined || sources.isAway) return read;
    if (sources.fault !== undefined) throw new InputError(sources.fault);
    await pause.wait(100, signal);
  }
  return undefined;
}

/** The ways to the clusters. Throws what is wrong with the configuration. */
async function accessesTo({ states, around: { environment } }: Sourced): Promise<ClusterAccess[]> {
  await refuseHanging(filesOfConfiguration(environment));
  const clusters = states.map(({ cluster }) => cluster);
  const accesses = accessTo(clusters, environment);
  refuseWantedTwice(states, accesses);
  return accesses;
}

class Daemon {
  readonly metrics: Metrics;
  readonly view: DaemonView;
  private readonly loops: ClusterLoops;
  private readonly sharing: Sharing | undefined;
  private readonly signal: AbortSignal;
  private last: Sourced | undefined;
  private looking: Promise<void> = Promise.resolve();
  private nextLook: Promise<void> | undefined;
  private told = '';
  private readonly sources: UntilTaken;

  constructor(
    private readonly settings: DaemonSettings,
    read: DesiredSource,
    { prunes, sharing }: { prunes: boolean; sharing: Sharing | undefined },
    { signal, reporter, lease }: Surroundings,
  ) {
    const sources = new UntilTaken(read);
    this.sources = sources;
    this.signal = signal;
    this.sharing = sharing;
    this.log = line => reporter.tell(line);
    const workLimit = new WorkLimit(settings.concurrency, TURN_MS);
    this.view = new DaemonView(() => this.loops, sources, workLimit);
    this.metrics = new Metrics(this.view, sharing?.title ?? lease?.title ?? '');
    const { log, metrics } = this;
    const progress = reporter.inProgress;
    const around = { settings, log, metrics, workLimit, sources, prunes, progress };
    this.loops = new ClusterLoops(around, signal, lease, sharing);
  }

  /** The same where nobody has told yet what is wanted: it is waited for. */
  async waitAndRun(): Promise<void> {
    const pause = new Pause();
    let first: Sourced | undefined;
    while (first === undefined && this.sources.isAway && !this.signal.aborted) {
      this.tellFault('Waits for the desired state', this.sources.fault ?? '');
      await pause.wait(this.lookMs, this.signal);
      first = await firstReading(this.sources, this.signal);
    }
    this.told = '';
    if (first !== undefined) await this.run(first, await accessesTo(first));
  }

  async run(first: Sourced, accesses: ClusterAccess[]): Promise<void> {
    const { intervalMs, concurrency } = this.settings;
    this.tell('info', 'Started the daemon', { intervalMs, concurrency });
    accesses.flatMap(({ warnings }) => warnings).forEach(text => this.tell('warn', text));
    this.take(first, accesses);
    const sharing = this.sharing?.run(async (cluster, held) => {
      // as it is now, and not as it was when another host took the cluster
      await this.look();
      await this.untilSure(AbortSignal.any([held.signal, this.signal]));
      return this.loops.begin(cluster, held);
    }, this.signal);
    const pause = new Pause();
    this.sources.wakes(pause.end);
    while (!this.signal.aborted) {
      await pause.wait(this.lookMs, this.signal);
      if (!this.signal.aborted) await this.look();
    }
    await Promise.all([sharing, this.loops.ended()]);
    this.tell('info', 'Stopped: what Proxmox was told before goes on there');
  }

  /** Another host may know a newer state: a cluster is not begun with one that may be old. */
  private async untilSure(signal: AbortSignal): Promise<void> {
    const pause = new Pause();
    while (this.sources.mayBeOld && !signal.aborted) {
      await pause.wait(this.lookMs, signal);
      await this.look();
    }
  }

  private get lookMs(): number {
    return Math.min(LOOK_MS, this.settings.intervalMs);
  }

  /** One after the other: an older reading never takes the place of a newer one. */
  private look(): Promise<void> {
    // who asks while another look waits shares that one
    this.nextLook ??= this.looking.then(() => {
      this.nextLook = undefined;
      return this.readAgain();
    });
    return (this.looking = this.nextLook);
  }

  /** Reads the files that were written since, credentials too. What is wrong is reported once, and changes nothing. */
  private async readAgain(): Promise<void> {
    try {
      const read = await this.sources.readIfNew();
      const fault = this.sources.fault;
      const desired = read ?? this.last;
      if (fault !== undefined) this.tellFault('Bad desired state: the last good one is kept', fault);
      if (desired === undefined) return;
      this.take(desired, await accessesTo(desired), read !== undefined);
      if (this.sources.fault === undefined) this.told = '';
    } catch (error) {
      this.sources.notTaken(messageOf(error));
      this.tellFault('Bad configuration: the last good one is kept', messageOf(error));
    }
  }

  private tellFault(message: string, fault: string): void {
    if (this.told === fault) return;
    this.told = fault;
    this.metrics.failed('source', new InputError(fault));
    for (const error of fault.split('\n')) this.tell('error', message, { error });
  }

  private take(desired: Sourced, accesses: readonly ClusterAccess[], isNew = true): void {
    this.last = desired;
    this.sources.taken();
    this.loops.want(desired, accesses, isNew);
    if (!isNew) return;
    const machines = desired.states.reduce((sum, state) => sum + state.machines.length, 0);
    const clusters = new Set(desired.states.map(({ cluster }) => cluster.name)).size;
    this.tell('info', 'Read the desired state', { machines, clusters });
  }

  private readonly log: (line: LogEntry) => void;

  private tell(level: LogEntry['level'], message: string, fields: LogEntry['fields'] = {}): void {
    this.log({ level, message, fields });
  }
}
