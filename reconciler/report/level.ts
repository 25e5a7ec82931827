import type { Event } from '../event';

/** How much a line matters, most first. */
export const LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type Level = (typeof LEVELS)[number];

const OF_EVENT: Record<Event['kind'], Level> = {
  planned: 'debug',
  started: 'info',
  'must-start': 'debug',
  progress: 'info',
  warning: 'warn',
  finished: 'info',
  failed: 'error',
};

export function levelOf({ kind }: Event): Level {
  return OF_EVENT[kind];
}

/** Whether a line of this level is shown when this much is asked for. */
export function isShown(level: Level, asked: Level): boolean {
  return LEVELS.indexOf(level) <= LEVELS.indexOf(asked);
}
