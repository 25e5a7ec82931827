import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { programAccess, takeWrites } from '../cluster/program-access';
import type { ClusterOptions } from '../cluster/start-cluster';
import { startCluster } from '../cluster/start-cluster';
import { keepTold } from '../docs/told';

// from the root of the repository, where tests and campaigns are run: a bundled campaign is elsewhere itself
const PROGRAM = join(process.cwd(), 'dist', 'reconciler.cjs');

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ran>;
  /** Resolves as soon as stderr holds this text. */
  said: (text: string) => Promise<void>;
  /** What it has said so far. */
  stderr: () => string;
}

/** PVE_RUN=alone in the environment of the tests runs them once more without a worker. */
export function runMode(): Record<string, string> {
  const { PVE_RUN: mode } = process.env;
  return mode === undefined ? {} : { PVE_RUN: mode };
}

/** Starts the bundled program with this environment and nothing else of ours. */
export function start(args: string[], env: Record<string, string> = {}, input = ''): Running {
  return startFrom(PROGRAM, args, env, input);
}

/** The same with a copy of the program that is elsewhere. */
export function startFrom(
  program: string,
  args: string[],
  env: Record<string, string> = {},
  input = '',
): Running {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...runMode(), ...env },
  });
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  const waiting: { text: string; resolve: () => void }[] = [];
  child.stdout.on('data', (chunk: Buffer) => (ran.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    ran.stderr += chunk.toString();
    waiting.filter(({ text }) => ran.stderr.includes(text)).forEach(({ resolve }) => resolve());
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return {
    child,
    ended: new Promise(resolve =>
      child.on('close', code => {
        keepTold({ text: ran.stderr, words: [] });
        resolve({ ...ran, code });
      }),
    ),
    said: text =>
      new Promise(resolve => {
        if (ran.stderr.includes(text)) resolve();
        else waiting.push({ text, resolve });
      }),
    stderr: () => ran.stderr,
  };
}

/** Runs the bundled program to its end. */
export function run(args: string[], env: Record<string, string> = {}, input = ''): Promise<Ran> {
  return start(args, env, input).ended;
}

const CLUSTER = { name: 'lab' };
const OWNER = 'team/lab';

/** A simulated cluster, and the program's ways to it: as Terraform calls it, and as people do. */
export async function cliLab(options: ClusterOptions = {}, program = run) {
  const simulator = await startCluster({ taskMs: 20, ...options });
  const access = programAccess(simulator);
  const wire = { PROXMOX_PROTOCOL: '1', PROXMOX_CLUSTER: JSON.stringify(CLUSTER), PROXMOX_OWNER: OWNER };
  return {
    simulator,
    world: simulator.world,
    access,
    observe: async (
      specs: Record<string, unknown>,
      entries: Record<string, string> = {},
      more: Record<string, string> = {},
    ) => {
      const query = {
        protocol: '1',
        cluster: JSON.stringify(CLUSTER),
        owner: OWNER,
        ...more,
        ...Object.fromEntries(
          Object.entries(specs).map(([id, spec]) => [`spec.${id}`, JSON.stringify(spec)]),
        ),
        ...Object.fromEntries(Object.entries(entries).map(([id, entry]) => [`entry.${id}`, entry])),
      };
      const ran = await program(['observe'], access, JSON.stringify(query));
      return { ...ran, told: ran.stdout === '' ? {} : (JSON.parse(ran.stdout) as Record<string, string>) };
    },
    apply: (spec: { id: string }, { entry = 'e1', token = '', env = {} as Record<string, string> } = {}) =>
      program(['apply'], {
        ...access,
        ...wire,
        PROXMOX_MACHINE: spec.id,
        PROXMOX_ENTRY: entry,
        PROXMOX_TOKEN: token,
        PROXMOX_SPEC: JSON.stringify(spec),
        ...env,
      }),
    destroy: (machine: string, { entry = 'e1', env = {} as Record<string, string> } = {}) =>
      program(['destroy'], { ...access, ...wire, PROXMOX_MACHINE: machine, PROXMOX_ENTRY: entry, ...env }),
    facts: async (machine?: string, more: Record<string, string> = {}) => {
      const query = {
        protocol: '1',
        cluster: JSON.stringify(CLUSTER),
        owner: OWNER,
        ...(machine ? { machine } : {}),
        ...more,
      };
      const ran = await program(['facts'], access, JSON.stringify(query));
      return { ...ran, told: ran.stdout === '' ? {} : (JSON.parse(ran.stdout) as Record<string, string>) };
    },
    people: (verb: string, machines: unknown[], args: string[] = [], env: Record<string, string> = {}) =>
      program([verb, '--spec', '-', ...args], { ...access, ...env }, desiredText(machines)),
    /** Resolves as soon as a request for this path was answered. */
    asked: async (path: string) => {
      while (!simulator.ledger.entries().some(entry => entry.path === path)) {
        await new Promise(resolve => setTimeout(resolve, 10));
      }
    },
    /** The writes that the cluster was asked for since the last call. */
    writes: () => takeWrites(simulator),
    /** The guests whose name is this. */
    guests: (name: string) =>
      Object.values(simulator.world.guests).filter(guest => guest.config['name'] === name),
    close: () => simulator.close(),
  };
}

export type CliLab = Awaited<ReturnType<typeof cliLab>>;

/** Labs in which something was done once, and went well; each call gives one of its own. */
export async function cliLabsAfter(
  work: (lab: CliLab) => Promise<Ran>,
  open: (options?: ClusterOptions) => Promise<CliLab> = cliLab,
) {
  const first = await open();
  const { code, stderr } = await work(first);
  const world = structuredClone(first.world);
  await first.close();
  if (code !== 0) throw new Error(stderr);
  return (options: ClusterOptions = {}): Promise<CliLab> =>
    open({ ...options, world: structuredClone(world) });
}

export function desiredText(machines: unknown[]): string {
  return JSON.stringify({ version: 1, owner: OWNER, cluster: CLUSTER, machines });
}
