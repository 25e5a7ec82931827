import { setTimeout as sleep } from 'node:timers/promises';
import { destroyMachine } from '../../../reconciler/apply/destroy/destroy';
import { connect, type Pve } from '../../../reconciler/pve';
import { reconcileOnce } from '../cluster/reconcile-once';
import { Run } from '../../../reconciler/run/run';
import { Shared } from '../../../reconciler/run/shared';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import { alteredCluster, withData } from '../cluster/altered-cluster';
import { marked } from '../cluster/end-state';
import type { Json } from '../cluster/lab';
import { desired, errorsOf, labWorld } from '../cluster/lab';
import { labConnection } from '../cluster/lab-connection';
import { startCluster } from '../cluster/start-cluster';
import { numbersBelow } from '../in-parallel';
import { dice, type Roll } from '../random/dice';

/** What a node's list tells instead of the rows that it has. */
type Telling = (path: string, rows: unknown[]) => unknown[];

/** The ways in which the list of a node's running tasks may be wrong. */
export const LISTS: Record<string, (roll: Roll) => Telling> = {
  'lags five seconds': () => {
    const told: { at: number; path: string; rows: unknown[] }[] = [];
    return (path, rows) => {
      told.push({ at: Date.now(), path, rows });
      return told.findLast(one => one.path === path && Date.now() - one.at >= 5_000)?.rows ?? [];
    };
  },
  'drops one in ten': roll => (_, rows) => rows.filter(() => roll(10) > 0),
  'stays empty': () => () => [],
  'tells of each for two seconds more': () => {
    const seen = new Map<string, number>();
    return (path, rows) => {
      rows.forEach(row => seen.set(`${path} ${JSON.stringify(row)}`, Date.now()));
      const late = [...seen].filter(([key, at]) => key.startsWith(`${path} `) && Date.now() - at < 2_000);
      return late.map(([key]) => JSON.parse(key.slice(path.length + 1)) as unknown);
    };
  },
};

const MACHINES = 9;
/** Far more than any step takes, and far less than for ever. */
const PATIENCE_MS = 60_000;

/** What went wrong with machines that are made, changed and destroyed at once, where the lists of tasks are wrong. */
export async function taskListFaults(list: string, seed: number): Promise<string[]> {
  const roll = dice(seed);
  const simulator = await startCluster({ world: labWorld(), seed, taskMs: 50 + roll(500) });
  const tell = LISTS[list]!(roll);
  const there = await alteredCluster(simulator, ({ method, path }, told) =>
    method === 'GET' && /^\/nodes\/[^/]+\/tasks$/.test(path)
      ? withData(told, rows => tell(path, rows as unknown[]))
      : told,
  );
  const pve = connect(labConnection({ url: there.url, ca: there.ca }, 'token'));
  const faults: string[] = [];
  try {
    for (const [step, work] of Object.entries(steps(pve, roll))) {
      const began = Date.now();
      const errors = await Promise.race([work(), tooLate()]);
      const standing = numbersBelow(MACHINES).map(n => marked(simulator.world, `m${n}`).length);
      const wanted = step === 'destroy' ? 0 : 1;
      faults.push(...errors.map(error => `${step}: ${error}`));
      if (standing.some(count => count !== wanted)) faults.push(`${step}: guests: ${standing.join(' ')}`);
      if (faults.length > 0) return [`${list}, seed ${seed}, ${Date.now() - began} ms: ${faults.join('\n')}`];
    }
    const orphans = simulator.world.volumes.filter(({ vmid }) => vmid && !simulator.world.guests[vmid]);
    return [
      ...orphans.map(({ volid }) => `${list}, seed ${seed}: left over: ${volid}`),
      ...brokenInvariants(simulator.sim),
    ];
  } finally {
    await pve.close();
    await there.close();
    await simulator.close();
  }
}

function steps(pve: Pve, roll: Roll): Record<string, () => Promise<string[]>> {
  const { signal } = new AbortController();
  const report = (): void => undefined;
  const bring = async (more: Json): Promise<string[]> => {
    const machines = numbersBelow(MACHINES).map(n => ({ ...machine(n), ...more }));
    return errorsOf(await reconcileOnce(desired(machines), pve, report, signal));
  };
  const destroyed = async (n: number): Promise<string[]> => {
    const run = new Run(new Shared(pve, desired([]).cluster), { report, signal });
    try {
      await destroyMachine(run, { owner: 'team/lab', ids: [`m${n}`] });
      return [];
    } catch (error) {
      return [String(error)];
    }
  };
  return {
    create: () => bring({}),
    restart: () => bring({ memory: `${1 + roll(4)}Gi`, cpu: { cores: 2 } }),
    grow: () => bring({ memory: '6Gi', disks: [{ name: 'root', size: '45Gi' }] }),
    destroy: async () => (await Promise.all(numbersBelow(MACHINES).map(destroyed))).flat(),
  };
}

function machine(n: number): Json {
  const image = n % 3 === 0 ? { blank: true } : { template: 'ubuntu-22.04' };
  const disk = { name: 'root', size: '40Gi', ...(n % 3 === 0 && { storage: 'local-lvm' }) };
  return { id: `m${n}`, image, memory: '512Mi', disks: [disk], restart: 'whenNeeded', shutdownTimeout: '1s' };
}

async function tooLate(): Promise<string[]> {
  await sleep(PATIENCE_MS, undefined, { ref: false });
  return ['it still waits'];
}
