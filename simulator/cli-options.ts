import { parseArgs } from 'node:util';

/** What the program was asked to do; each value checked. */
export interface CliOptions {
  host: string;
  port: number;
  password: string;
  seed: number;
  timeScale: number;
  lagMs: number;
  nodes: number;
  taskMs?: number;
  world?: string;
  readyFile?: string;
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const OPTIONS = {
  host: { type: 'string' },
  port: { type: 'string' },
  password: { type: 'string' },
  seed: { type: 'string' },
  'time-scale': { type: 'string' },
  'task-ms': { type: 'string' },
  'lag-ms': { type: 'string' },
  nodes: { type: 'string' },
  world: { type: 'string' },
  'ready-file': { type: 'string' },
} as const;

/** Understands the command line, or fails with a `UsageError` that names the option. */
export function parseOptions(argv: string[]): CliOptions {
  const values = parse(argv);
  const taskMs = values['task-ms'] === undefined ? {} : { taskMs: number(values, 'task-ms', 0) };
  return {
    host: values['host'] ?? '127.0.0.1',
    port: number(values, 'port', 0),
    password: values['password'] ?? 'simulated',
    seed: number(values, 'seed', 1),
    timeScale: number(values, 'time-scale', 1),
    lagMs: number(values, 'lag-ms', 0),
    nodes: number(values, 'nodes', 3),
    ...taskMs,
    ...(values['world'] === undefined ? {} : { world: values['world'] }),
    ...(values['ready-file'] === undefined ? {} : { readyFile: values['ready-file'] }),
  };
}

function parse(argv: string[]): Record<string, string | undefined> {
  try {
    return { ...parseArgs({ args: argv, options: OPTIONS, strict: true, allowPositionals: false }).values };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function number(values: Record<string, string | undefined>, name: string, fallback: number): number {
  const text = values[name];
  if (text === undefined) return fallback;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new UsageError(`--${name} needs a number, not '${text}'`);
  return value;
}
