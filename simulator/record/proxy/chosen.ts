import type { Exchange } from './exchange';
import { dataOf, taskAsked } from './exchange';
import { isRow } from '../shape';

/** A request that becomes a step, and how it is played. */
export interface Chosen {
  exchange: Exchange;
  /** Repeated for so many seconds until the answer is right. */
  eventually?: number;
  /** The player waits for the task that it starts. */
  wait?: boolean;
}

export interface Choice {
  steps: Chosen[];
  /** Reads that are no steps, because they saw a task under way or an answer that came again later. */
  passedOver: number;
}

const LONGEST_TASK_S = 180;
const SETTLES_S = 60;
/** Views that lag behind. */
const LAGGING = /^\/(cluster\/resources|cluster\/ha\/.*|pools.*)$/;
const LAG_S = 20;

/**
 * Of looks that come again and again only the last is a step, and it is repeated until it is right: another run needs
 * another number of looks. What was read while a task ran is none: it shows a moment.
 */
export function choose(exchanges: readonly Exchange[]): Choice {
  const ends = endsOfTasks(exchanges);
  const running = new Set<string>();
  const steps: Chosen[] = [];
  let passedOver = 0;
  exchanges.forEach((exchange, index) => {
    const task = taskAsked(exchange);
    if (task && ends.get(task.upid) === index) {
      running.delete(task.upid);
      steps.push({ exchange, eventually: LONGEST_TASK_S });
      return;
    }
    const isRead = exchange.method === 'GET';
    if (isRead && (task !== undefined || running.size > 0 || comesAgain(exchanges, index))) {
      passedOver += 1;
      return;
    }
    const upid = isRead ? undefined : startedBy(exchange);
    if (upid !== undefined && ends.has(upid)) running.add(upid);
    const wait = upid !== undefined && !ends.has(upid);
    const seconds = isRead ? secondsFor(exchanges, index) : undefined;
    steps.push({
      exchange,
      ...(wait ? { wait } : {}),
      ...(seconds === undefined ? {} : { eventually: seconds }),
    });
  });
  return { steps, passedOver };
}

/** Where each task that was started here is first seen to have ended. */
function endsOfTasks(exchanges: readonly Exchange[]): Map<string, number> {
  const started = new Set(exchanges.flatMap(exchange => startedBy(exchange) ?? []));
  const ends = new Map<string, number>();
  exchanges.forEach((exchange, index) => {
    const task = taskAsked(exchange);
    if (task?.what !== 'status' || !started.has(task.upid) || ends.has(task.upid)) return;
    const data = dataOf(exchange);
    if (isRow(data) && data['status'] === 'stopped') ends.set(task.upid, index);
  });
  return ends;
}

function startedBy(exchange: Exchange): string | undefined {
  const data = exchange.method === 'GET' ? undefined : dataOf(exchange);
  return typeof data === 'string' && data.startsWith('UPID:') ? data : undefined;
}

/** Whether the same is read again before anything is written. */
function comesAgain(exchanges: readonly Exchange[], index: number): boolean {
  for (const later of exchanges.slice(index + 1)) {
    if (later.method !== 'GET') return false;
    if (isSame(later, exchanges[index])) return true;
  }
  return false;
}

function secondsFor(exchanges: readonly Exchange[], index: number): number | undefined {
  for (let at = index - 1; at >= 0; at -= 1) {
    const earlier = exchanges[at];
    if (earlier?.method !== 'GET') break;
    if (isSame(earlier, exchanges[index])) return SETTLES_S;
  }
  return LAGGING.test(exchanges[index]?.path ?? '') ? LAG_S : undefined;
}

function isSame(one: Exchange, other: Exchange | undefined): boolean {
  const login = ({ headers }: Exchange): string =>
    `${String(headers['cookie'])} ${String(headers['authorization'])}`;
  return (
    other !== undefined && one.path === other.path && one.query === other.query && login(one) === login(other)
  );
}
