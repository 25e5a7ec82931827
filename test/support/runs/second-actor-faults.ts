import type { World } from '../../../simulator';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import { eachUntilDone } from '../in-parallel';
import type { Json, Lab } from '../cluster/lab';
import { lab } from '../cluster/lab';
import { openToRoot } from '../cluster/start-cluster';
import type { Turns } from '../turns';
import { terraformOn } from './as-planned';
import type { Act } from './second-actor';
import { isOurs, WatchedRun } from './watched-run';

/** Begins the way of the machine to what is wanted, or of all that a way has. What it gives goes on to its end. */
type Begin = (cluster: Lab, want: Json | undefined) => Promise<() => Promise<string[]>>;

/** How the runs begin, and at which requests somebody acts. */
interface Ways {
  /** The run is an apply of Terraform, which goes by what its plan knew before. */
  isPlanned?: boolean;
  /** Another way in than this process. */
  begin?: Begin;
  /** The next run; else it begins as the first does, without a plan. */
  again?: Begin;
  /** How many machines go this way at once. */
  machines?: number;
  /** The requests before which somebody acts; else before each. */
  turns?: Turns;
  /** An act that could not be done before its request is tried before each one after it, until it is done. */
  triesAgain?: boolean;
  /** How many of these at once. */
  inParallel?: number;
}

/** Proxmox refuses what the plan could not know. */
const SAYS_WHY = /you can't move a disk with snapshots and delete the source|non-migratable snapshot exists/;

/** A cluster that is used again and again, and who watches it now. */
interface Stage {
  cluster: Lab;
  watched?: WatchedRun;
}

/**
 * What goes wrong when somebody else acts before request 0, 1, 2 and so on of the run that brings the machine to what
 * is wanted: nothing that is not ours is touched, and the next run converges, or refuses and says why.
 */
export async function secondActorFaults(
  world: World,
  want: Json | undefined,
  act: Act,
  { isPlanned = false, ...ways }: Ways = {},
): Promise<string[]> {
  const { machines = 1, again = unplanned } = ways;
  const { begin = isPlanned ? planned : unplanned } = ways;
  const stages: Stage[] = [];
  const free: Stage[] = [];
  const faults: string[] = [];
  try {
    await eachUntilDone(
      ways.inParallel ?? 4,
      async k => {
        const stage = free.pop() ?? (await newStage(world));
        if (!stages.includes(stage)) stages.push(stage);
        const { cluster } = stage;
        cluster.simulator.reset(openToRoot(structuredClone(world)));
        const bring = await begin(cluster, want);
        const watched = (stage.watched = new WatchedRun(cluster, act, k, machines, ways.triesAgain));
        const errors = await bring();
        const next = async () => (await again(cluster, want))();
        const found = watched.acted === true ? await afterAct(stage, next, want ? machines : 0) : errors;
        faults.push(...found.map(text => `before request ${k}: ${text}`));
        free.push(stage);
        return watched.acted === undefined;
      },
      ways.turns,
    );
  } finally {
    await Promise.all(stages.map(({ cluster }) => cluster.close()));
  }
  return faults;
}

const unplanned: Begin = (cluster, want) => Promise.resolve(() => cluster.bring(want));

/** Plans as Terraform does. What it gives applies that plan, with what the plan knew. */
async function planned(cluster: Lab, want: Json | undefined): Promise<() => Promise<string[]>> {
  if (want === undefined) return unplanned(cluster, want);
  const terraform = terraformOn(cluster);
  const token = await terraform.plan(want);
  return () => terraform.apply(want, token);
}

async function newStage(world: World): Promise<Stage> {
  const watch: Partial<Stage> = {};
  const cluster = await lab({
    world: structuredClone(world),
    taskMs: 4,
    isOneConnection: true,
    before: met => watch.watched?.before(met),
  });
  return Object.assign(watch, { cluster });
}

/** Judges the run, then runs again without anybody else. */
async function afterAct(
  { cluster, watched }: Stage,
  next: () => Promise<string[]>,
  machines: number,
): Promise<string[]> {
  const first = watched?.faults() ?? [];
  const errors = await next();
  const { world, sim } = cluster.simulator;
  const ours = Object.values(world.guests).filter(isOurs).length;
  const hasConverged = errors.length === 0;
  return [
    ...first,
    ...(watched?.faults() ?? []),
    ...errors.filter(text => !text.startsWith('RefusedError: ') && !SAYS_WHY.test(text)),
    ...(hasConverged && ours !== machines ? [`${ours} guests are ours in the end`] : []),
    ...brokenInvariants(sim),
    ...sim.defects.all().map(String),
  ];
}
