import type { Level } from './level';
import { oneLine } from './visible';

/** Something that is reported with fields beside it. */
export interface LogEntry {
  level: Level;
  message: string;
  fields: Readonly<Record<string, string | number | undefined>>;
}

/** It as one line: time, level, words, then `name=value`, in quotes where a value is more than a word. */
export function logLine({ level, message, fields }: LogEntry, now: Date): string {
  const said = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${valueText(value)}`],
  );
  return [now.toISOString(), level.toUpperCase(), oneLine(message), ...said].join(' ');
}

function valueText(value: string | number): string {
  const text = oneLine(String(value));
  return /^[\w.:@/+!-]+$/.test(text) ? text : JSON.stringify(text);
}
