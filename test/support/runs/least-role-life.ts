import { runLine, type Ran } from '../../reconciler/walk/live';
import type { Simulator } from '../../../simulator';
import { ask } from '../cluster/ask';
import type { Json } from '../cluster/lab';
import { programAccess, takeWrites } from '../cluster/program-access';
import { runPveum } from '../cluster/pveum';
import { CHANGES, type Step } from './life-steps';

export interface LifeOptions {
  simulator: Simulator;
  state: Json;
  /** Where secrets are that the desired state names. */
  secrets?: Record<string, string>;
}

/** What `gc --json` tells. */
interface Found {
  orphans: { fate: string }[];
}

/** How one step went. */
interface Went {
  faults: string[];
}

/** The life of the machines of a desired state by a token that has the least role, and nothing else. */
export class LeastRoleLife {
  private token: Record<string, string> = {};
  /** The names of the steps that were taken. */
  readonly covered: string[] = [];
  /** What the last step wrote. */
  lastWrites: string[] = [];

  constructor(private readonly options: LifeOptions) {}

  /** Runs the lines that `permissions` prints, and is their token from now on. The lines. */
  async grant(): Promise<string> {
    const { code, out, said } = await this.line(['permissions']);
    if (Number(code ?? 0) !== 0) throw new Error(`permissions: ${said}`);
    this.token = { ...(await runPveum(this.options.simulator, out)) };
    return out;
  }

  /** Takes a privilege away from the roles that were given. */
  take(privilege: string): Promise<void> {
    const { roles } = this.options.simulator.world.access;
    for (const [name, privileges] of Object.entries(roles))
      if (name.startsWith('pvr-')) roles[name] = privileges.filter(each => each !== privilege);
    return Promise.resolve();
  }

  /** What `permissions --check` says that the token lacks. */
  async lacking(): Promise<string> {
    const { code, out } = await this.line(['permissions', '--check']);
    return `${code} ${out}`;
  }

  /** What the doctor finds amiss, but for clocks: the time of the cluster runs faster here. */
  async doctor(): Promise<string[]> {
    const { faults } = await this.step('doctor', ['doctor', '--json'], undefined, out => {
      const { findings } = JSON.parse(out) as { findings: { check: string; says: string }[] };
      return findings.filter(({ check }) => check !== 'clock').map(({ says }) => says);
    });
    return faults;
  }

  /** Takes all steps, up to one that has a fault. The faults. */
  async whole(): Promise<string[]> {
    for (const step of this.steps()) {
      const faults = await step();
      if (faults.length > 0) return faults;
    }
    return [];
  }

  private *steps(): Generator<() => Promise<string[]>> {
    yield () => this.doctor();
    yield async () => (await this.step('permissions', ['permissions', '--check'])).faults;
    yield () => this.reconcile('made');
    yield () => this.doctor();
    for (const change of CHANGES) yield () => this.change(change);
    yield () => this.backIntoPool();
    yield async () => (await this.step('nothing is left to do', ['plan', '--check'])).faults;
    yield () => this.destroyed();
    yield () => Promise.resolve(this.remains());
  }

  /** One change of the desired state; nothing where it has no place for that. */
  async change([name, to, first = () => []]: Step): Promise<string[]> {
    const { state } = this.options;
    const next = to(state);
    if (next === undefined) return [];
    for (const words of first(state)) {
      const { faults } = await this.step(words.slice(0, 2).join(' '), words);
      if (faults.length > 0) return faults;
    }
    this.options.state = next;
    return this.reconcile(name);
  }

  /** Runs `reconcile`; how it went. */
  async tried(name: string): Promise<Went> {
    return this.step(name, ['reconcile']);
  }

  private async reconcile(name: string): Promise<string[]> {
    return (await this.tried(name)).faults;
  }

  /** Destroys all of it, and removes its files. The faults. */
  async destroyed(): Promise<string[]> {
    const { out } = await this.line(['gc', '--json'], this.emptied());
    const going = (JSON.parse(out) as Found).orphans.filter(({ fate }) => fate === 'may-go');
    const words = ['gc', '--yes', ...(going.length > 0 ? ['--count', `${going.length}`] : [])];
    return (await this.step('destroyed', words, this.emptied())).faults;
  }

  private emptied(): Json {
    const { owner, cluster, version } = this.options.state;
    return { version, owner, cluster, machines: [] };
  }

  private async step(
    name: string,
    words: string[],
    state = this.options.state,
    look?: (out: string) => string[],
  ): Promise<Went> {
    const { simulator } = this.options;
    takeWrites(simulator);
    const { code: ended, said, out } = await this.line(words, state);
    this.covered.push(name);
    const code = Number(ended ?? 0);
    const entries = simulator.ledger.entries();
    // PVE: who may see a guest by its pool alone is denied it as soon as it is gone
    const isGone = (path: string): boolean => {
      const vmid = /\/qemu\/(\d+)\//.exec(path)?.[1];
      return vmid !== undefined && simulator.world.guests[Number(vmid)] === undefined;
    };
    const denied = entries.flatMap(({ status, method, path, reason }) =>
      status === 403 && !(method === 'GET' && isGone(path)) ? [`${method} ${path}: ${reason}`] : [],
    );
    const wrong = look === undefined ? (code === 0 ? [] : [`exit code ${code}: ${said}${out}`]) : look(out);
    this.lastWrites = takeWrites(simulator);
    return { faults: [...wrong, ...denied].map(fault => `${name}: ${fault}`) };
  }

  /** Somebody takes the machines out of their pool, and the next run brings them back. */
  private async backIntoPool(): Promise<string[]> {
    const { simulator } = this.options;
    const pools = Object.entries(simulator.world.pools).filter(([, { vms }]) => vms.length > 0);
    for (const [poolid, { vms }] of pools)
      await ask(simulator, 'PUT', '/pools', { params: { poolid, vms: vms.join(','), delete: 1 } });
    return pools.length === 0 ? [] : this.reconcile('back into its pool');
  }

  /** What is left of it all in the cluster. */
  private remains(): string[] {
    const { guests, volumes } = this.options.simulator.world;
    const ours = Object.values(guests).filter(({ config }) => config['description']?.includes('<!-- pvr:'));
    const files = volumes.filter(({ volid }) => volid.includes('pvr-'));
    return [
      ...ours.map(({ vmid }) => `guest ${vmid} is left`),
      ...files.map(({ volid }) => `${volid} is left`),
    ];
  }

  private line(words: string[], state = this.options.state): Promise<Ran> {
    const { simulator, secrets } = this.options;
    const access = { ...programAccess(simulator), PVE_TASK_POLL_INTERVAL: '5ms', ...secrets, ...this.token };
    return runLine([...words, '--spec', '-'], access, JSON.stringify(state));
  }
}
