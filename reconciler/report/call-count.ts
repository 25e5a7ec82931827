import { counted } from '../errors';
import { CALL_REASONS, routeOf } from './call-reasons';

/** One kind of request that a run made. */
interface Calls {
  method: string;
  path: string;
  times: number;
  why: string;
}

/** Counts the requests that a run sends, each repetition too. */
export class CallCount {
  private readonly times = new Map<string, number>();

  /** Takes each request as it is sent; may be handed on as a function. */
  readonly note = ({ method, path }: { method: string; path: string }): void => {
    const call = `${method} ${routeOf(path)}`;
    this.times.set(call, (this.times.get(call) ?? 0) + 1);
  };

  /** The most frequent first. */
  rows(): Calls[] {
    const rows = [...this.times].map(([call, times]) => {
      const [method = '', path = ''] = call.split(' ');
      return { method, path, times, why: CALL_REASONS[call] ?? 'no reason is known' };
    });
    return rows.sort((one, other) => other.times - one.times);
  }

  get total(): number {
    return [...this.times.values()].reduce((sum, times) => sum + times, 0);
  }
}

/** What was sent, for people: a line for each kind of request. */
export function callLines(count: CallCount): string {
  const rows = count.rows();
  const width = Math.max(0, ...rows.map(({ method, path }) => method.length + path.length + 1));
  const lines = rows.map(
    ({ method, path, times, why }) =>
      `${String(times).padStart(6)}  ${`${method} ${path}`.padEnd(width)}  ${why}`,
  );
  return [`${counted(count.total, 'request', 'requests')} to Proxmox:`, ...lines].join('\n');
}

/** The same as one line of JSON. */
export function callsJson(count: CallCount, now: Date): string {
  const message = `${counted(count.total, 'request', 'requests')} to Proxmox`;
  return JSON.stringify({
    time: now.toISOString(),
    level: 'info',
    event: 'calls',
    message,
    calls: count.rows(),
  });
}
