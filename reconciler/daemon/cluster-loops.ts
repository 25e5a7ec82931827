import type { ClusterAccess } from '../config/cluster-access';
import type { Environment } from '../config/cluster-variables';
import type { HeldLease } from '../input/surroundings';
import type { SourcedState } from '../run/wanted';
import type { DaemonShared } from './attempts';
import { ClusterLoop } from './cluster-loop';
import { Namesakes } from '../run/reads/namesakes';
import type { ClusterWork, Elsewhere, HeldCluster, Sharing } from './sharing';
import type { Sourced } from './sources/desired-source';

/** What is wanted of a cluster, and the way to it. */
interface WantedCluster {
  access: ClusterAccess;
  states: SourcedState[];
  environment: Environment;
}

interface Running {
  loop: ClusterLoop;
  stop: AbortController;
  ended: Promise<void>;
}

/** The clusters of the desired state: a loop for each that this host keeps. */
export class ClusterLoops {
  private wanted = new Map<string, WantedCluster>();
  private namesakes = new Namesakes([]);
  private readonly running = new Map<string, Running>();

  constructor(
    private readonly around: Omit<DaemonShared, 'signal' | 'lease'>,
    private readonly signal: AbortSignal,
    /** What the process as a whole holds. */
    private readonly lease: HeldLease | undefined,
    /** Absent: this host keeps them all. */
    private readonly sharing: Sharing | undefined,
  ) {}

  get isShared(): boolean {
    return this.sharing !== undefined;
  }

  get all(): ClusterLoop[] {
    return [...this.running.values()].map(({ loop }) => loop);
  }

  /** The clusters that this host does not keep, and who does. */
  get elsewhere(): ({ name: string } & Elsewhere)[] {
    const { sharing } = this;
    if (sharing === undefined) return [];
    const names = [...this.wanted.keys()].filter(name => !this.running.has(name));
    return names.map(name => ({ name, ...sharing.elsewhere(name) }));
  }

  /** `isNew`: else only the ways to the clusters may be others than before. */
  want(
    { states, around: { environment } }: Sourced,
    accesses: readonly ClusterAccess[],
    isNew: boolean,
  ): void {
    this.wanted = new Map();
    if (isNew) this.namesakes = new Namesakes(states);
    states.forEach((state, index) => {
      const access = accesses[index];
      if (access === undefined) return;
      const { name } = state.cluster;
      const known = this.wanted.get(name) ?? { access, states: [], environment };
      known.states.push({ ...state, cluster: access.cluster });
      this.wanted.set(name, known);
    });
    for (const [name, { access, states: ofIt }] of this.wanted) {
      const loop = this.running.get(name)?.loop;
      loop?.reach(access);
      if (isNew) loop?.want(ofIt, environment, this.namesakes);
      if (loop === undefined && this.sharing === undefined) this.begin(name);
    }
    for (const name of this.running.keys()) if (!this.wanted.has(name)) this.leave(name);
    this.sharing?.want([...this.wanted.keys()]);
  }

  /** Begins to keep a cluster. `held`: what this host holds of it, where it shares them. */
  begin(name: string, held?: HeldCluster): ClusterWork | undefined {
    const wanted = this.wanted.get(name);
    if (wanted === undefined) return undefined;
    const stop = new AbortController();
    const signal = AbortSignal.any([this.signal, stop.signal, ...(held ? [held.signal] : [])]);
    const loop = new ClusterLoop(name, wanted.access, { ...this.around, signal, lease: held ?? this.lease });
    loop.want(wanted.states, wanted.environment, this.namesakes);
    const ended = loop.run().finally(() => {
      if (this.running.get(name)?.loop === loop) this.running.delete(name);
    });
    this.running.set(name, { loop, stop, ended });
    return { hold: loop.hold, isIdle: loop.isIdle, stop: () => stop.abort(), ended };
  }

  async ended(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  /** No document speaks of the cluster any more: nothing is done there, whatever it holds. */
  private leave(name: string): void {
    const message = 'Nothing is wanted of this cluster any more: left alone';
    this.around.log({ level: 'warn', message, fields: { cluster: name } });
    this.running.get(name)?.stop.abort();
    this.running.delete(name);
  }
}
