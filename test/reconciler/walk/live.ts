import { CommanderError } from 'commander';
import { program } from '../../../reconciler/commands/command-line';
import { runVerb, type Host } from '../../../reconciler/commands/run-verb';
import type { Simulator, World } from '../../../simulator';
import { programAccess, takeWrites } from '../../support/cluster/program-access';
import { startCluster, type ClusterOptions } from '../../support/cluster/start-cluster';

type Json = Record<string, unknown>;
type Environment = Readonly<Record<string, string>>;

export interface Ran {
  code: Host['exitCode'];
  out: string;
  said: string;
}

/** Runs one command line of the program, in this process, with this environment and nothing else. */
export async function runLine(
  line: string[],
  env: Environment = {},
  input = '',
  { answer, ...terminal }: { isTTY?: boolean; answer?: (question: string) => string | Promise<string> } = {},
): Promise<Ran> {
  const ran: Ran = { code: undefined, out: '', said: '' };
  const host: Host = {
    env,
    stdin: (async function* () {
      yield await Promise.resolve(input);
    })(),
    stdout: { write: text => (ran.out += text) },
    stderr: { write: text => (ran.said += text), ...terminal },
    ...(answer && { ask: question => Promise.resolve(answer(question)) }),
  };
  try {
    await program(
      asked => runVerb(asked, host),
      text => (ran.said += text),
    ).parseAsync(line, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { ...ran, code: error.exitCode === 0 ? 0 : 2 };
    throw error;
  }
  return { ...ran, code: host.exitCode };
}

/** A simulated cluster of three nodes in this process, and the ways of the program to it. */
export class Live {
  private constructor(
    readonly simulator: Simulator,
    readonly access: Environment,
  ) {}

  /** Gives a cluster to some work, and takes it away again. */
  static async with<T>(
    work: (live: Live) => Promise<T>,
    options: Pick<ClusterOptions, 'taskMs' | 'world' | 'before'> = {},
  ): Promise<T> {
    const simulator = await startCluster(options);
    const access = { ...programAccess(simulator), PVE_TASK_POLL_INTERVAL: '5ms' };
    try {
      return await work(new Live(simulator, access));
    } finally {
      await simulator.close();
    }
  }

  /** A world in which these machines were made: each call gives one of its own, though they are made once. */
  static worlds(machines: Json[]): () => Promise<World> {
    let made: Promise<World> | undefined;
    const make = (): Promise<World> =>
      Live.with(async live => {
        const { code, said } = await live.people('reconcile', machines);
        if (code !== 0) throw new Error(said);
        return structuredClone(live.simulator.world);
      });
    return async () => structuredClone(await (made ??= make()));
  }

  /** A verb of people over a desired state. */
  people(verb: string, machines: Json[], more: Json = {}, words: string[] = []): Promise<Ran> {
    const state = { version: 1, owner: 'team', cluster: { name: 'lab' }, machines, ...more };
    return runLine([verb, ...words, '--spec', '-'], this.access, JSON.stringify(state));
  }

  /** A query of Terraform. */
  ask(verb: 'observe' | 'facts', query: Json): Promise<Ran> {
    const whole = { protocol: '1', cluster: '{"name":"lab"}', owner: 'team', ...query };
    return runLine([verb], this.access, JSON.stringify(whole));
  }

  /** A deed of Terraform. */
  do(verb: 'apply' | 'destroy', variables: Environment): Promise<Ran> {
    const wire = { PROXMOX_PROTOCOL: '1', PROXMOX_CLUSTER: '{"name":"lab"}', PROXMOX_OWNER: 'team' };
    return runLine([verb], { ...this.access, PROXMOX_ENTRY: 'e1', PROXMOX_TOKEN: '', ...wire, ...variables });
  }

  /** What was written since the last call, without the numbers that differ by chance. */
  writes(): string[] {
    return takeWrites(this.simulator);
  }

  /** The guests that have this name. */
  guests(name: string): Json[] {
    return Object.values(this.simulator.world.guests)
      .filter(({ config }) => config['name'] === name)
      .map(({ node, config }) => ({ node, ...config }));
  }
}
