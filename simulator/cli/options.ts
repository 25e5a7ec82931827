import { parseArgs } from 'node:util';
import { closest } from '../world-file/closest';

/** What the program was asked to do; each value checked. */
export interface CliOptions {
  host: string;
  port: number;
  seed: number;
  timeScale: number | 'held';
  lagMs: number;
  cleanupMs: number;
  latencyMs: number;
  unauthorizedMs: number;
  nodes: number;
  guests: number;
  allowedHosts: string[];
  help: boolean;
  version: boolean;
  taskMs?: number;
  password?: string;
  world?: string;
  faults?: string;
  state?: string;
  readyFile?: string;
}

/** Something that the caller must mend: an option, or a file that one names. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const USAGE = `Usage: pve-simulator [options]
       pve-simulator record …        a world or a scenario of a real cluster (record --help)

A Proxmox VE cluster that lives in memory. When it listens it prints one line of JSON:
url, caFile, fingerprint, user, password, tokenId, tokenSecret, pid.

  --world FILE         start with this world
  --nodes N            without a world: so many nodes (3)
  --guests N           without a world: so many guests more (0)
  --host ADDRESS       listen here (127.0.0.1)
  --allowed-host NAME  serve /_sim under this name too, besides addresses and localhost (several: a,b)
  --port N             listen on this port (0: any free one)
  --password TEXT      the password of root@pam (simulated)
  --seed N             the same seed gives the same ids, MACs and faults (1)
  --time-scale X       time runs X times as fast (1); 0: only when /_sim/clock says so
  --task-ms N          every task takes so long (by its type)
  --lag-ms N           /cluster/resources lags so far behind (0)
  --latency-ms N       each request takes so long at least (0; a real cluster: 20 to 60)
  --cleanup-ms N       a guest that starts again soon is locked so long by Proxmox's own clean-up (0; Proxmox: 30000)
  --unauthorized-ms N  a 401 waits so long (0; Proxmox: 3000)
  --faults FILE        faults that are set from the start
  --state FILE         keep the world here between runs; an existing file wins over --world
  --ready-file FILE    write the line here too, when it listens
  --version            show the version
  --help               show this
`;

const text = { type: 'string' } as const;

const OPTIONS = {
  host: text,
  port: text,
  'allowed-host': text,
  password: text,
  seed: text,
  'time-scale': text,
  'task-ms': text,
  'lag-ms': text,
  'cleanup-ms': text,
  'latency-ms': text,
  'unauthorized-ms': text,
  nodes: text,
  guests: text,
  world: text,
  faults: text,
  state: text,
  'ready-file': text,
  version: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** Understands the command line, or fails with a `UsageError` that names the option. */
export function parseOptions(argv: string[]): CliOptions {
  const values = parse(argv);
  const whole = (name: keyof typeof values, otherwise: number, limits: Limits = {}): number =>
    number(name, values[name], otherwise, { ...limits, whole: true });
  const scale = number('time-scale', values['time-scale'], 1, {});
  return {
    host: values.host ?? '127.0.0.1',
    port: whole('port', 0, { most: 65535 }),
    seed: whole('seed', 1),
    timeScale: scale === 0 ? 'held' : scale,
    lagMs: whole('lag-ms', 0),
    cleanupMs: whole('cleanup-ms', 0),
    latencyMs: whole('latency-ms', 0),
    unauthorizedMs: whole('unauthorized-ms', 0),
    nodes: whole('nodes', 3, { least: 1, most: 64 }),
    guests: whole('guests', 0, { most: 100_000 }),
    allowedHosts: (values['allowed-host'] ?? '').toLowerCase().split(',').filter(Boolean),
    help: values.help ?? false,
    version: values.version ?? false,
    ...(values['task-ms'] === undefined ? {} : { taskMs: whole('task-ms', 0) }),
    ...(values.password === undefined ? {} : { password: values.password }),
    ...(values.world === undefined ? {} : { world: values.world }),
    ...(values.faults === undefined ? {} : { faults: values.faults }),
    ...(values.state === undefined ? {} : { state: values.state }),
    ...(values['ready-file'] === undefined ? {} : { readyFile: values['ready-file'] }),
  };
}

function parse(argv: string[]) {
  try {
    return parseArgs({ args: argv, options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}${meant(argv)}`);
  }
}

/** The option that was probably meant, when one of those given is unknown. */
function meant(argv: string[]): string {
  const known = Object.keys(OPTIONS);
  const names = argv.filter(word => word.startsWith('--')).map(word => word.slice(2).replace(/=.*/s, ''));
  const near = closest(names.find(name => !known.includes(name)) ?? '', known);
  return near === undefined ? '' : ` Did you mean --${near}?`;
}

interface Limits {
  whole?: boolean;
  least?: number;
  most?: number;
}

function number(
  name: string,
  given: string | boolean | undefined,
  otherwise: number,
  limits: Limits,
): number {
  if (given === undefined) return otherwise;
  const { whole = false, least = 0, most = Number.MAX_SAFE_INTEGER } = limits;
  const value = Number(given);
  const isRight = String(given).trim() !== '' && value >= least && value <= most;
  if (isRight && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? 'a whole number' : 'a number';
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`;
  throw new UsageError(`--${name} needs ${kind}, ${range}; '${String(given)}' is not one`);
}
