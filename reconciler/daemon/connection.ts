import type { ClusterAccess } from '../config/cluster-access';
import { ifTold } from '../observe/if-allowed';
import { connect, readVersion, type Pve, type Watch } from '../pve';
import { Shared } from '../run/shared';

/** The way to one cluster with the credentials of now. */
export class Connection {
  readonly pve: Pve;
  private asking: Promise<unknown> | undefined;
  private failure: unknown;
  private limits: Shared['limits'] | undefined;

  constructor(
    readonly access: ClusterAccess,
    watch: Watch,
  ) {
    this.pve = connect(access.pve, watch);
  }

  /**
   * What the runs of one round share. It remembers what it has read and done, so no other round gets it. How much is done at
   * once holds for all rounds: two of them may be at work.
   */
  sharedOfRound(): Shared {
    const shared = new Shared(this.pve, this.access.cluster, undefined, this.limits);
    this.limits ??= shared.limits;
    return shared;
  }

  /** Whether another reading of the configuration says the same. */
  isSame(access: ClusterAccess): boolean {
    return JSON.stringify(access) === JSON.stringify(this.access);
  }

  /** Asks whether somebody answers. What comes back is why not; undefined: he does. Takes no longer than this. */
  async trouble(ms: number): Promise<unknown> {
    this.asking ??= ifTold(readVersion(this.pve, { waits: false }))
      .then(
        () => (this.failure = undefined),
        (error: unknown) => (this.failure = error),
      )
      .finally(() => (this.asking = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<unknown>(resolve => {
      timer = setTimeout(() => resolve(this.failure ?? this.silence(ms)), ms);
    });
    try {
      return await Promise.race([this.asking.then(() => this.failure), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): Promise<void> {
    return this.pve.close();
  }

  private silence(ms: number): SilenceError {
    return new SilenceError(`${this.access.pve.endpoints.join(', ')}: no answer within ${ms / 1000} s.`);
  }
}

/** Nobody has answered yet. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError';
}
