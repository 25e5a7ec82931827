import { messageOf, InputError } from '../errors';
import type { DesiredSource, Sourced } from '../daemon/sources/desired-source';
import { sourceOf } from '../input/sourced-states';
import type { Options, Surroundings } from '../input/surroundings';
import type { LogEntry } from '../report/log-line';
import { Deletions } from './deletions';
import { KubernetesRequester } from './requester';
import { matchedOf, type Matched } from './matched';
import { ApiError } from './api/api-error';
import type { KubernetesClient } from './api/client';
import { troubleText } from './api/trouble-text';
import { EventWriter } from './status/event-writer';
import { StatusWriter } from './status/status-writer';
import { Finalizers } from './resources/finalizers';
import { judge, type Fault, type Judged } from './resources/judge';
import { planOf, statesOf, type ResourcePlan } from './resources/plan-of-resources';
import { secretNamesIn, SecretReader } from './resources/secret-reader';
import { CLUSTER_FINALIZER, titleOf, type Resource } from './resources/resource';
import { Store } from './resources/store';
import { OwnName } from './own-name';
import { tellFaults } from './tell-faults';

/** Changes that come together are read together. */
const SETTLE_MS = 50;
/** What could not be had is asked for again after so long. */
const AGAIN_MS = 5_000;
const MOST_HELD_AT_ONCE = 8;

/** What is wanted, as the resources of a Kubernetes say it. */
export class KubernetesSource implements DesiredSource {
  fault: string | undefined;
  readonly requester: KubernetesRequester;
  readonly store: Store;
  private readonly secrets: SecretReader;
  private readonly finalizers: Finalizers;
  private readonly ownName: OwnName;
  private readonly statuses: StatusWriter;
  private readonly bySpec: Matched['bySpec'] = new WeakMap();
  private isStale = true;
  private goodSince = Infinity;
  private askedAt = -Infinity;
  private wake: () => void = () => undefined;
  private told = '';

  constructor(
    private readonly client: KubernetesClient,
    private readonly options: Pick<Options, 'owner' | 'source' | 'namespace' | 'clusterNamespace'>,
    private readonly around: Surroundings,
  ) {
    this.store = new Store(
      changed => this.changed(changed),
      () => this.tellTroubles(),
    );
    this.secrets = new SecretReader(client);
    this.finalizers = new Finalizers(client, this.store);
    this.ownName = new OwnName(client, sourceOf(options, around.environment)?.names[0]);
    const tell = (text: string): void => this.tell('error', text);
    this.statuses = new StatusWriter(client, this.store, around.signal, tell);
    const events = new EventWriter(client, tell);
    const again = (): void => this.again();
    const deletions = new Deletions(this.store, this.statuses, events, this.finalizers, again);
    this.requester = new KubernetesRequester(this.store, this.statuses, events, deletions, again);
  }

  /** Begins to watch; resolves with the signal. */
  run(): Promise<void> {
    return this.store.run(this.client, this.options.namespace, this.around.signal);
  }

  wakes(wake: () => void): void {
    this.wake = wake;
  }

  goodForMs(): Promise<number> {
    return Promise.resolve(performance.now() - this.goodSince);
  }

  async readIfNew(): Promise<Sourced | undefined> {
    if (!this.store.isRead) {
      this.fault = this.faultAtStart();
      return undefined;
    }
    try {
      await this.readSecretsAgain();
      if (!this.isStale) return undefined;
      const source = await this.ownName.read();
      if (source === undefined) return undefined;
      this.isStale = false;
      const read = await this.read(source);
      this.fault = undefined;
      this.goodSince = performance.now();
      return read;
    } catch (error) {
      // the last good reading stays, and this is read again
      this.isStale = true;
      this.fault = messageOf(error);
      this.goodSince = Infinity;
      return undefined;
    }
  }

  private async read(source: string): Promise<Sourced> {
    const { environment } = this.around;
    const all = this.store.all();
    const owner = this.options.owner ?? 'manifests';
    const apart = { clusterNamespace: this.options.clusterNamespace };
    const judged = await judge(all, {
      ...{ owner, environment, apart, secretOf: this.secrets.of, secretKept: this.secrets.keptOf },
      whyNoSecret: ({ namespace, json }) =>
        secretNamesIn(json).flatMap(name => this.secrets.whyNot(namespace, name) ?? [])[0],
    });
    if (judged.atLarge.length > 0) throw new InputError(judged.atLarge.join('\n'));
    const plan = planOf(all, judged, this.requester.proxmoxOf);
    const unheld = await this.hold(plan);
    const working = plan.working.filter(({ resource }) => !unheld.has(resource.uid));
    const faults = new Map([...plan.faults, ...unheldFaults(unheld)]);
    const { bySpec } = this;
    this.requester.match(matchedOf(this.store.all(), { plan, judged, working, owner, source, bySpec }));
    tellFaults(this.statuses, { ...plan, faults }, all);
    await this.letGo(plan.toLetGo);
    return sourcedOf(statesOf(judged, working), judged, source, this.around);
  }

  /** Holds what is to be made before anything of it is written to Proxmox. Gives those that are not held, each with why. */
  private async hold(plan: ResourcePlan): Promise<Map<string, string>> {
    const unheld = new Map<string, string>();
    const notKept = new Map<string, string>();
    for (const cluster of plan.toKeep) {
      const why = await this.finalizers.keep(cluster);
      if (why !== undefined) notKept.set(cluster.name, why);
    }
    const queue = plan.working.filter(({ isHeld }) => !isHeld);
    const work = async (): Promise<void> => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        const { name } = next.state.cluster;
        const { resource, proxmox = '' } = next;
        const why = notKept.get(name) ?? (await this.finalizers.bind(resource, name, proxmox));
        if (why !== undefined) unheld.set(next.resource.uid, why);
      }
    };
    await Promise.all(Array.from({ length: MOST_HELD_AT_ONCE }, work));
    const isRefused = [...unheld.values(), ...notKept.values()].some(why => why !== '');
    // somebody wrote it meanwhile: another look; what Kubernetes refuses is asked again later
    if (unheld.size > 0 || notKept.size > 0) this.againIn(isRefused ? AGAIN_MS : SETTLE_MS);
    return unheld;
  }

  private async letGo(clusters: readonly Resource[]): Promise<void> {
    for (const cluster of clusters) {
      try {
        await this.finalizers.letGo(cluster, CLUSTER_FINALIZER);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.tell('error', `${titleOf(cluster)} is not let go of: ${error.message}`);
        this.againIn(AGAIN_MS);
      }
    }
  }

  /** What nobody watches: a Secret that is not there yet, and one whose contents Proxmox refuses. */
  private async readSecretsAgain(): Promise<void> {
    const { isRefused } = this.requester;
    if ((!isRefused && !this.secrets.isLacking) || performance.now() - this.askedAt < AGAIN_MS) return;
    this.askedAt = performance.now();
    if (await this.secrets.readAgain(isRefused ? 'all' : 'lacking')) this.isStale = true;
  }

  private changed(resources: readonly Resource[]): void {
    const names = resources.flatMap(({ namespace, json }) =>
      secretNamesIn(json).map(name => ({ namespace, name })),
    );
    this.secrets.forget(names);
    this.again();
  }

  private again(): void {
    this.againIn(SETTLE_MS);
  }

  private againIn(ms: number): void {
    const timer = setTimeout(() => {
      this.isStale = true;
      this.wake();
    }, ms);
    timer.unref();
  }

  /** Before the first reading there is no good one to go on with. */
  private faultAtStart(): string | undefined {
    const denied = this.store.troubles.filter(({ error }) => error.status === 401 || error.status === 403);
    if (denied.length === 0) return undefined;
    return denied.map(({ kind, error }) => troubleText(kind, error)).join('\n');
  }

  private tellTroubles(): void {
    const text = this.store.troubles.map(({ kind, error }) => troubleText(kind, error)).join('\n');
    if (text === this.told) return;
    this.told = text;
    if (text === '') return this.tell('info', 'Kubernetes answers again');
    text.split('\n').forEach(line => this.tell('warn', line));
  }

  private tell(level: LogEntry['level'], message: string): void {
    this.around.reporter.tell({ level, message, fields: {} });
  }
}

function unheldFaults(unheld: ReadonlyMap<string, string>): [string, Fault][] {
  const told = [...unheld].filter(([, why]) => why !== '');
  return told.map(([uid, message]) => [uid, { reason: 'NotHeld', message }]);
}

/** The source is one name. */
function sourcedOf(
  states: Sourced['states'],
  { environment }: Judged,
  name: string,
  around: Surroundings,
): Sourced {
  const source = { names: [name], isNamed: true };
  const sourced = states.map(state => ({
    ...state,
    source,
    sourceNames: new Map(state.machines.map(({ id }) => [id, name])),
  }));
  return { states: sourced, around: { ...around, environment }, places: new Map(), source };
}
