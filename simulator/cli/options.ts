import type { NumberName, NumberOption, TextName } from './option-table';
import { FLAGS, NUMBERS, TEXTS } from './option-table';
import { FLAG, parseWords, TEXT } from './parse-words';
import { UsageError } from './usage-error';
import { readVariables, variableOf } from './variables';

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
  administrators?: string;
  state?: string;
  readyFile?: string;
}

/** Understands the command line and the environment, or fails with a `UsageError` that names the option or the variable. */
export function parseOptions(argv: string[], env: NodeJS.ProcessEnv): CliOptions {
  const flags = parse(argv);
  const isAsked = flags['help'] === true || flags['version'] === true;
  const given = new Given(flags, isAsked ? {} : readVariables(env));
  const scale = given.number('time-scale');
  const [password, world, faults] = [given.text('password'), given.text('world'), given.text('faults')];
  const ofNoWorld = (['nodes', 'guests'] as const).find(name => given.has(name));
  if (world !== undefined && ofNoWorld !== undefined)
    throw new UsageError(
      `${given.placeOf(ofNoWorld)} is only for a start without a world: '${world}' has its own; leave one of them out`,
    );
  const [state, readyFile] = [given.text('state'), given.text('ready-file')];
  const administrators = given.text('administrators');
  if (state === '') throw new UsageError('--state needs the name of a file');
  if (readyFile === '') throw new UsageError('--ready-file needs the name of a file');
  return {
    host: given.text('host') ?? '127.0.0.1',
    port: given.number('port'),
    seed: given.number('seed'),
    timeScale: scale === 0 ? 'held' : scale,
    lagMs: given.number('lag-ms'),
    cleanupMs: given.number('cleanup-ms'),
    latencyMs: given.number('latency-ms'),
    unauthorizedMs: given.number('unauthorized-ms'),
    nodes: given.number('nodes'),
    guests: given.number('guests'),
    allowedHosts: (given.text('allowed-host') ?? '').toLowerCase().split(',').filter(Boolean),
    help: flags['help'] === true,
    version: flags['version'] === true,
    ...(given.has('task-ms') ? { taskMs: given.number('task-ms') } : {}),
    ...(password === undefined ? {} : { password }),
    ...(world === undefined ? {} : { world }),
    ...(faults === undefined ? {} : { faults }),
    ...(administrators === undefined ? {} : { administrators }),
    ...(state === undefined ? {} : { state }),
    ...(readyFile === undefined ? {} : { readyFile }),
  };
}

type Flags = Record<string, string | boolean | (string | boolean)[] | undefined>;

function parse(argv: string[]): Flags {
  const texts = [...Object.keys(TEXTS), ...Object.keys(NUMBERS)].map(name => [name, TEXT] as const);
  const switches = Object.keys(FLAGS).map(name => [name, FLAG] as const);
  return parseWords(withNegatives(argv), Object.fromEntries([...texts, ...switches]));
}

/** `--nodes -1` as `--nodes=-1`: the number is refused by what it must be, and not as an option of its own. */
function withNegatives(argv: string[]): string[] {
  const words: string[] = [];
  for (const word of argv) {
    const before = words.at(-1) ?? '';
    if (/^-\d/.test(word) && Object.hasOwn(NUMBERS, before.slice(2))) words.push(`${words.pop()}=${word}`);
    else words.push(word);
  }
  return words;
}

/** What was given, by flag or else by variable. */
class Given {
  constructor(
    private readonly flags: Flags,
    private readonly variables: Record<string, string>,
  ) {}

  text(name: TextName | NumberName): string | undefined {
    const flag = this.flags[name];
    return typeof flag === 'string' ? flag : this.variables[name];
  }

  has(name: TextName | NumberName): boolean {
    return this.text(name) !== undefined;
  }

  /** Where it was given. */
  placeOf(name: NumberName): string {
    return typeof this.flags[name] === 'string' ? `--${name}` : variableOf(name);
  }

  number(name: NumberName): number {
    const said = this.text(name);
    const {
      otherwise,
      least = 0,
      most = Number.MAX_SAFE_INTEGER,
      parts = false,
    }: NumberOption = NUMBERS[name];
    if (said === undefined) return otherwise;
    const value = Number(said);
    const isRight = said.trim() !== '' && value >= least && value <= most;
    if (isRight && (parts || Number.isInteger(value))) return value;
    const kind = parts ? 'a number' : 'a whole number';
    const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`;
    throw new UsageError(`${this.placeOf(name)} needs ${kind}, ${range}; '${said}' is not one`);
  }
}
