import type { Event } from '../event';

/** How much a line matters, most first. */
export const LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type Level = (typeof LEVELS)[number];

/** How much each kind of event matters. */
export const LEVEL_OF: Record<Event['kind'], Level> = {
  planned: 'debug',
  started: 'info',
  'must-start': 'debug',
  progress: 'info',
  percent: 'info',
  warning: 'warn',
  finished: 'info',
  failed: 'error',
};

/** Whether a line of this level is shown when this much is asked for. */
export function isShown(level: Level, asked: Level): boolean {
  return LEVELS.indexOf(level) <= LEVELS.indexOf(asked);
}
