import { accessTo, type ClusterAccess } from '../config/cluster-access';
import { filesOfConfiguration } from '../config/files-of-configuration';
import { refuseHanging } from '../config/named-file';
import { InputError, messageOf } from '../errors';
import { isFolder } from '../input/file-text';
import type { Options, Surroundings } from '../input/surroundings';
import { EXIT } from '../report/exit-code';
import type { LogEntry } from '../report/log-line';
import type { Around } from './attempts';
import { Pause } from './pause';
import { ClusterLoop } from './cluster-loop';
import { DaemonView } from './daemon-view';
import { listen } from './http/listen';
import { routesFor } from './routes';
import { Metrics } from './metrics';
import { daemonSettings, type DaemonSettings } from './daemon-settings';
import type { DesiredSource, Sourced } from './sources/desired-source';
import { Sources } from './sources/sources';
import type { SourcedState } from '../run/wanted';
import { WorkLimit } from './work-limit';

/** Files are looked at as often as this, or as the interval says where that is more often. */
const LOOK_MS = 5_000;
/** A machine that has worked for so long waits for something. */
const TURN_MS = 30_000;

/**
 * Keeps Proxmox as the desired states say, until it is interrupted. Throws where it cannot even begin.
 * `sources`: where they are read; absent: from the files that the options name.
 */
export async function runDaemon(
  around: Surroundings,
  options: Options,
  sources: DesiredSource = new Sources(options, around),
): Promise<number> {
  const settings = daemonSettings(around.environment);
  await refusePruneOfStacks(options);
  const first = await firstReading(sources, around.signal);
  if (first === undefined) return EXIT.done;
  const daemon = new Daemon(settings, sources, options.prune === true, around);
  const accesses = await accessesTo(first);
  const closeServers = await listen(routesFor(settings, daemon.view, daemon.metrics), (variable, address) =>
    around.reporter.tell({ level: 'info', message: 'Listening', fields: { variable, address } }),
  );
  try {
    await daemon.run(first, accesses);
  } finally {
    await closeServers();
  }
  return EXIT.done;
}

/** What is wrong before anything runs: a host that stands by should say it now, and not when it is needed. Sends nothing. */
export async function checkDaemon(around: Surroundings, options: Options): Promise<void> {
  daemonSettings(around.environment);
  await refusePruneOfStacks(options);
  const first = await firstReading(new Sources(options, around), around.signal);
  if (first !== undefined) await accessesTo(first);
}

/** Of a stack, machines are left out of which only Terraform knows a part: they would look as if they had left. */
async function refusePruneOfStacks({ prune, spec = [] }: Options): Promise<void> {
  if (prune !== true) return;
  let folder: string | undefined;
  for (const each of spec) if (each !== '-' && (await isFolder(each))) folder ??= each;
  if (folder === undefined) return;
  throw new InputError(
    `--prune cannot be used with the folder of a stack (${folder}): Terraform destroys its machines. Remove --prune, or give a file.`,
  );
}

/** What is wrong before anything runs ends the program: there is no good reading to go on with. */
async function firstReading(sources: DesiredSource, signal: AbortSignal): Promise<Sourced | undefined> {
  const pause = new Pause();
  while (!signal.aborted) {
    const read = await sources.readIfNew();
    if (read !== undefined) return read;
    if (sources.fault !== undefined) throw new InputError(sources.fault);
    await pause.wait(100, signal);
  }
  return undefined;
}

/** The ways to the clusters. Throws what is wrong with the configuration. */
async function accessesTo({ states, around: { environment } }: Sourced): Promise<ClusterAccess[]> {
  await refuseHanging(filesOfConfiguration(environment));
  const clusters = states.map(({ cluster }) => cluster);
  return accessTo(clusters, environment);
}

class Daemon {
  readonly metrics: Metrics;
  readonly view: DaemonView;
  private readonly loops = new Map<
    string,
    { loop: ClusterLoop; stop: AbortController; ended: Promise<void> }
  >();
  private readonly around: Omit<Around, 'signal'>;
  private readonly signal: AbortSignal;
  private last: Sourced | undefined;
  private told = '';

  constructor(
    private readonly settings: DaemonSettings,
    private readonly sources: DesiredSource,
    prunes: boolean,
    { signal, reporter, lease }: Surroundings,
  ) {
    this.signal = signal;
    const workLimit = new WorkLimit(settings.concurrency, TURN_MS);
    this.view = new DaemonView(() => [...this.loops.values()].map(({ loop }) => loop), sources, workLimit);
    this.metrics = new Metrics(this.view, lease?.title ?? '');
    this.around = {
      settings,
      log: line => reporter.tell(line),
      metrics: this.metrics,
      workLimit,
      sources,
      prunes,
      lease,
      progress: reporter.inProgress,
    };
  }

  async run(first: Sourced, accesses: ClusterAccess[]): Promise<void> {
    const { intervalMs, concurrency } = this.settings;
    this.tell('info', 'Started the daemon', { intervalMs, concurrency });
    accesses.flatMap(({ warnings }) => warnings).forEach(text => this.tell('warn', text));
    this.take(first, accesses);
    const pause = new Pause();
    this.sources.wakes?.(pause.end);
    while (!this.signal.aborted) {
      await pause.wait(Math.min(LOOK_MS, intervalMs), this.signal);
      if (!this.signal.aborted) await this.look();
    }
    await Promise.all([...this.loops.values()].map(({ ended }) => ended));
    this.tell('info', 'Stopped: what Proxmox was told before goes on there');
  }

  /** Reads the files that were written since, credentials too. What is wrong is reported once, and changes nothing. */
  private async look(): Promise<void> {
    try {
      const read = await this.sources.readIfNew();
      const fault = this.sources.fault;
      const desired = read ?? this.last;
      if (fault !== undefined) this.tellFault('Bad desired state: the last good one is kept', fault);
      if (desired === undefined) return;
      this.take(desired, await accessesTo(desired), read !== undefined);
      if (fault === undefined) this.told = '';
    } catch (error) {
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
    const { environment } = desired.around;
    const byCluster = new Map<string, { access: ClusterAccess; states: SourcedState[] }>();
    desired.states.forEach((state, index) => {
      const access = accesses[index];
      if (access === undefined) return;
      const known = byCluster.get(state.cluster.name) ?? { access, states: [] };
      known.states.push({ ...state, cluster: access.cluster });
      byCluster.set(state.cluster.name, known);
    });
    for (const [name, { access, states }] of byCluster) {
      const loop = this.loops.get(name)?.loop;
      if (loop === undefined) this.begin(name, access).want(states, environment);
      else loop.reach(access);
      if (isNew) loop?.want(states, environment);
    }
    for (const name of this.loops.keys()) if (!byCluster.has(name)) this.leave(name);
    const machines = desired.states.reduce((sum, state) => sum + state.machines.length, 0);
    if (isNew) this.tell('info', 'Read the desired state', { machines, clusters: this.loops.size });
  }

  private begin(name: string, access: ClusterAccess): ClusterLoop {
    const stop = new AbortController();
    const signal = AbortSignal.any([this.signal, stop.signal]);
    const loop = new ClusterLoop(name, access, { ...this.around, signal });
    // after its first wants
    const ended = Promise.resolve().then(() => loop.run());
    this.loops.set(name, { loop, stop, ended });
    return loop;
  }

  /** No document speaks of the cluster any more: nothing is done there, whatever it holds. */
  private leave(name: string): void {
    this.tell('warn', 'Nothing is wanted of this cluster any more: left alone', { cluster: name });
    this.loops.get(name)?.stop.abort();
    this.loops.delete(name);
  }

  private tell(level: LogEntry['level'], message: string, fields: LogEntry['fields'] = {}): void {
    this.around.log({ level, message, fields });
  }
}
