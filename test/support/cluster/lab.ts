import { destroyMachine } from '../../../reconciler/apply/destroy/destroy';
import { RefusedError } from '../../../reconciler/errors';
import type { Event } from '../../../reconciler/event';
import { failureText } from '../../../reconciler/report/failure-text';
import { Run } from '../../../reconciler/run/run';
import { Shared } from '../../../reconciler/run/shared';
import type { Pve } from '../../../reconciler/pve';
import { connect } from '../../../reconciler/pve';
import type { Ending } from '../../../reconciler/life/reconcile-machine';
import { reconcileOnce } from './reconcile-once';
import type { World } from '../../../simulator';
import { defaultWorld } from '../../../simulator';
import type { DesiredState } from '../../../spec';
import { parseDesiredState } from '../../../spec';
import type { Caller } from './lab-connection';
import { labConnection } from './lab-connection';
import type { ClusterOptions } from './start-cluster';
import { keepTold } from '../docs/told';
import { startCluster } from './start-cluster';

export type Json = Record<string, unknown>;

/** What a test wants of the cluster `lab`, owned by `team/lab`; fails on what the spec refuses. */
export function desired(machines: Json[], cluster: Json = {}): DesiredState {
  const parsed = parseDesiredState(desiredJson(machines, cluster));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems, null, 1));
  return parsed.value;
}

/** The same as a document. The snapshots of a machine stand in the machine here. */
export function desiredJson(given: Json[], cluster: Json = {}): Json {
  const machines = given.map(({ snapshots: _, ...machine }) => machine);
  const snapshots = given.flatMap(({ id, snapshots = [] }) =>
    (snapshots as Json[]).map(each => ({ machine: id, ...each })),
  );
  const document = { version: 1, owner: 'team/lab', cluster: { name: 'lab', ...cluster }, machines };
  return snapshots.length === 0 ? document : { ...document, snapshots };
}

export interface LabOptions extends ClusterOptions {
  /** All runs use one connection, which saves time; else each has its own, as a process has. */
  isOneConnection?: boolean;
  /** Told of each event when it comes. */
  told?: (event: Event) => void;
  /** Interrupts all runs. */
  signal?: AbortSignal;
  /** Who asks: a token of root, unless some keys need root himself. */
  as?: Caller;
}

/** The world that a lab has when nothing else is said. */
export function labWorld(): World {
  const world = defaultWorld(3);
  world.pools = { prod: { vms: [], storages: [] }, lab: { vms: [], storages: [] } };
  return world;
}

/** A simulated cluster and the reconciler's hand on it. */
export async function lab({
  world = labWorld(),
  taskMs = 20,
  as = 'token',
  isOneConnection = false,
  told,
  signal = new AbortController().signal,
  ...options
}: LabOptions = {}) {
  const simulator = await startCluster({ world, taskMs, ...options });
  const events: Event[] = [];
  const open = (caller: Caller) => connect(labConnection(simulator, caller));
  const kept = isOneConnection ? open(as) : undefined;
  const withPve = async <T>(work: (pve: Pve) => Promise<T>, caller = as): Promise<T> => {
    if (kept) return work(kept);
    const pve = open(caller);
    try {
      return await work(pve);
    } finally {
      await pve.close();
    }
  };
  const report = (event: Event): void => {
    events.push(event);
    told?.(event);
  };
  const run = async (state: DesiredState) => {
    const endings = await withPve(pve => reconcileOnce(state, pve, report, signal));
    for (const ending of endings) if ('error' in ending) keepError(ending.machine, ending.error);
    return endings;
  };
  const withRun = <T>(work: (run: Run) => Promise<T>, caller = as): Promise<T> =>
    withPve(async pve => {
      const opened = new Run(new Shared(pve, desired([]).cluster), { report, signal });
      await opened.read();
      return work(opened);
    }, caller);
  const destroy = (machine: string) =>
    withPve(pve => {
      const run = new Run(new Shared(pve, desired([]).cluster), { report, signal });
      return destroyMachine(run, { owner: 'team/lab', ids: [machine] });
    });
  const isOurs = (description = ''): boolean => description.includes('<!-- pvr:');
  return {
    /** The guests that were there at the start and carry no mark. */
    others: Object.values(world.guests)
      .filter(({ config }) => !isOurs(config['description']))
      .map(({ vmid }) => vmid),
    simulator,
    world: simulator.world,
    events,
    /** Reconciles once, as a process of its own would: with a connection and a reading of its own. */
    run,
    /** Gives some work a run of its own: of the lab's caller, or of another one. */
    withRun,
    /** Destroys a machine of the lab's owner, once. */
    destroy,
    /** Brings the machine `web` to what is wanted, or destroys it. The errors, as texts. */
    bring: async (want: Json | undefined): Promise<string[]> => {
      try {
        if (want) return errorsOf(await run(desired([want])));
        await destroy('web');
        return [];
      } catch (error) {
        return [String(error)];
      }
    },
    /** The requests since the last call, without polls and the reads that a process makes once. */
    calls: () => {
      const once =
        /^GET \/(cluster\/(resources|status|options|tasks)|access\/permissions|version|nodes\/[^/]+\/(storage|network|qemu|qemu\/900\d\/pending|tasks))$/;
      const lines = simulator.ledger
        .entries()
        .map(({ method, path }) => `${method} ${path}`)
        .filter(line => !once.test(line) && !/^GET .*\/tasks\//.test(line));
      simulator.ledger.reset();
      return lines;
    },
    close: async () => {
      await kept?.close();
      await simulator.close();
    },
  };
}

export type Lab = Awaited<ReturnType<typeof lab>>;

function keepError(machine: string, error: unknown): void {
  const words =
    error instanceof RefusedError
      ? error.refusals.map(({ why }) => why)
      : [(error as Error).name, (error as { kind?: string }).kind ?? ''];
  keepTold({ text: failureText(error, machine), words });
}

/** The errors of a run, as texts. */
export function errorsOf(endings: Ending[]): string[] {
  return endings.flatMap(ending => ('error' in ending ? [String(ending.error)] : []));
}
