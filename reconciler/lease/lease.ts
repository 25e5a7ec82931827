import { pause } from '../pve';

/**
 * What one of several hosts holds while it works. The others stand by (while-held.ts). Every call may throw: then nobody
 * answered.
 */
export interface Lease {
  /** What it is, such as "the Lease team-a/pve-reconciler of Kubernetes". */
  readonly title: string;
  readonly times: LeaseTimes;
  /** Takes it where nobody holds it. Gives who does; undefined: we do. */
  take: (signal: AbortSignal) => Promise<string | undefined>;
  /** Says that we go on. False: we hold it no more. */
  renew: () => Promise<boolean>;
  /** Gives it back, so that another host need not wait. Never throws. */
  release: () => Promise<void>;
}

interface LeaseTimes {
  renewMs: number;
  /** So long after a renewal was sent its holder may write. Shorter than `freeMs`, for clocks that run apart. */
  goodMs: number;
  /** So long without a renewal, and another host may take it. */
  freeMs: number;
}

/** Renews until that moment. Throws where it is lost meanwhile. */
export async function renewUntil(lease: Lease, moment: number, signal: AbortSignal): Promise<void> {
  while (performance.now() < moment) {
    await pause(lease.times.renewMs, signal);
    if (!(await lease.renew())) throw new Error(`${lease.title} is lost again`);
  }
}

/** How often a host that stands by looks whether it is free. */
export const LOOK_MS = 1_000;
