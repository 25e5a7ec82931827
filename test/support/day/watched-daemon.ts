import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** A line of the log, as JSON. */
export type Line = Record<string, string | number | undefined> & { level: string; message: string };

/** The numbers of one scrape, by name and labels as they stand there. */
export type Scrape = ReadonlyMap<string, number>;

const FAST_CLOCK = join(process.cwd(), 'test', 'support', 'day', 'fast-clock.cjs');
const PROGRAM = join(process.cwd(), 'dist', 'reconciler.cjs');

/** The built daemon as a process of its own, whose clock runs so many times as fast. */
export function watchedDaemon(args: string[], environment: Record<string, string>, scale: number) {
  const lines: Line[] = [];
  const child = spawn(process.execPath, ['--expose-gc', '--require', FAST_CLOCK, PROGRAM, 'run', ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      CLOCK_SCALE: String(scale),
      CLOCK_START: String(Date.now()),
      LOG_FORMAT: 'json',
      METRICS_BIND_ADDRESS: '127.0.0.1:0',
      HEALTH_PROBE_BIND_ADDRESS: '0',
      STATUS_BIND_ADDRESS: '0',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let rest = '';
  child.stderr.on('data', (chunk: Buffer) => {
    const whole = (rest + chunk.toString()).split('\n');
    rest = whole.pop() ?? '';
    for (const text of whole) lines.push(lineOf(text));
  });
  const ended = new Promise<number | null>(resolve => child.on('close', resolve));
  const address = () => lines.find(({ message }) => message === 'Listening')?.['address'];
  return {
    lines,
    ended,
    /** Undefined: it does not listen yet, or any more. */
    scrape: async (): Promise<Scrape | undefined> => {
      const where = address();
      if (where === undefined || child.exitCode !== null) return undefined;
      return numbersOf(await (await fetch(`http://${where}/metrics`)).text());
    },
    clearMemory: () => child.kill('SIGUSR2'),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

export type WatchedDaemon = ReturnType<typeof watchedDaemon>;

/** The sum of all numbers whose name and labels match. */
export function sumOf(scrape: Scrape, pattern: RegExp): number {
  return [...scrape].reduce((sum, [name, value]) => (pattern.test(name) ? sum + value : sum), 0);
}

function lineOf(text: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return { level: 'error', message: text };
  }
}

function numbersOf(text: string): Scrape {
  const found = text.split('\n').flatMap((line): [string, number][] => {
    const at = line.lastIndexOf(' ');
    return line.startsWith('#') || at < 0 ? [] : [[line.slice(0, at), Number(line.slice(at + 1))]];
  });
  return new Map(found);
}
