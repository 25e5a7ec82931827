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
  /** Reads that are no steps, because they saw a task under way. */
  passedOver: number;
}

const LONGEST_TASK_S = 180;
const SETTLES_S = 60;
/** Views that lag behind. */
const LAGGING = /^\/(cluster\/resources|cluster\/ha\/.*|pools.*)$/;
const LAG_S = 20;

/**
 * A look that came again and again is repeated until it is right: another run needs another number of looks. What was read
 * while a task ran is no step: it shows a moment.
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
    if (isRead && (task !== undefined || running.size > 0)) {
      passedOver += 1;
      return;
    }
    const upid = isRead ? undefined : startedBy(exchange);
    if (upid !== undefined && ends.has(upid)) running.add(upid);
    const wait = upid !== undefined && !ends.has(upid);
    const seconds = isRead ? secondsFor(exchange) : undefined;
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

function secondsFor({ path, isRepeated }: Exchange): number | undefined {
  if (isRepeated) return SETTLES_S;
  return LAGGING.test(path) ? LAG_S : undefined;
}
