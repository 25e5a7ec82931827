import { listen } from '../daemon/http/listen';
import { daemonSettings } from '../daemon/daemon-settings';
import { messageOf } from '../errors';
import type { Surroundings } from '../input/surroundings';
import { pause } from '../pve';
import { EXIT } from '../report/exit-code';
import { LOOK_MS, type Lease } from './lease';
import { standbyRoutes } from './standby';
import { now, Tenure } from './tenure';

/** Works while this process holds the lease, and stands by while another does. Ends when it is interrupted, or when `work` does. */
export async function whileHeld(
  lease: Lease,
  around: Surroundings,
  work: (around: Surroundings) => Promise<number>,
): Promise<number> {
  const tell = (level: 'info' | 'warn', message: string, fields = {}): void =>
    around.reporter.tell({ level, message, fields: { lease: lease.title, ...fields } });
  while (!around.signal.aborted) {
    const tenure = await standBy(lease, around, tell);
    if (tenure === undefined) break;
    tell('info', 'Holds the lease');
    const kept = tenure.keep(() => lease.renew());
    try {
      const signal = AbortSignal.any([around.signal, tenure.signal]);
      const code = await work({
        ...around,
        signal,
        lease: { title: lease.title, beforeWrite: tenure.check },
      });
      if (!tenure.signal.aborted) return code;
    } catch (error) {
      if (!tenure.signal.aborted) throw error;
    } finally {
      tenure.end();
      await kept;
      await lease.release();
    }
    tell('warn', 'Lost the lease', { error: messageOf(tenure.signal.reason) });
  }
  await lease.release();
  return EXIT.done;
}

type Tell = (level: 'info' | 'warn', message: string, fields?: Record<string, string>) => void;

/** Waits until we hold it. Undefined: interrupted. */
async function standBy(lease: Lease, around: Surroundings, tell: Tell): Promise<Tenure | undefined> {
  const { signal } = around;
  let told = 'it was not asked yet';
  const routes = standbyRoutes(daemonSettings(around.environment), lease.title, () => told);
  const close = await listen(routes, (variable, address) => tell('info', 'Listening', { variable, address }));
  try {
    while (!signal.aborted) {
      const found = await attempt(lease, signal);
      if (found instanceof Tenure) return found;
      const { holder, why } = found;
      if (why !== told && !signal.aborted)
        if (holder === undefined) tell('warn', 'The lease cannot be taken', { error: why });
        else tell('info', 'Stands by', { holder });
      told = why;
      await pause(LOOK_MS, signal).catch(() => undefined);
    }
    return undefined;
  } finally {
    await close();
  }
}

/** Takes it once. Gives who else holds it, or why nobody can say. */
async function attempt(
  lease: Lease,
  signal: AbortSignal,
): Promise<Tenure | { holder?: string; why: string }> {
  try {
    const holder = await lease.take(signal);
    if (holder !== undefined) return { holder, why: `${holder} holds ${lease.title}` };
    // what was sent last counts: to take it may have lasted
    const sentAt = now();
    return (await lease.renew()) ? new Tenure(lease, sentAt) : { why: 'another host took it' };
  } catch (error) {
    return { why: messageOf(error) };
  }
}
