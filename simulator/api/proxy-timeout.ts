import type { Clock } from '../clock';
import type { Outcome } from '../wire/connection';

const PATIENCE_MS = 30_000;

/** What the proxy says of work that another process or node does: after 30 s it gives up, and the work goes on. */
export async function withPatience(clock: Clock, work: Promise<Outcome>): Promise<Outcome> {
  let callOff = (): void => undefined;
  const impatience = new Promise<Outcome>(resolve => {
    callOff = clock.after(PATIENCE_MS, () => resolve({ status: 596, reason: 'Connection timed out' }));
  });
  try {
    return await Promise.race([work, impatience]);
  } finally {
    callOff();
  }
}
