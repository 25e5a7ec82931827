import { randomBytes } from 'node:crypto';
import { Asked } from '../access/asked/asked';
import type { Clock } from '../clock';
import { heldClock, runningClock } from '../clock';
import { Defects } from '../defects';
import { Flocks } from './lock-files';
import type { Random } from '../random';
import { seededRandom } from '../random';
import { Tasks } from '../tasks/tasks';
import type { World } from '../world';

export interface SimOptions {
  seed: number;
  /** How fast time runs; 'held': only when told to. */
  timeScale: number | 'held';
  /** The time that each task takes; absent: by its type. */
  taskMs?: number;
  /** How far /cluster/resources lags behind; 0: never. */
  lagMs: number;
  /**
   * How long Proxmox's own clean-up after a guest that went down holds its lock file when the guest runs again by then
   * (behaviour.md §15.6: up to 30 s); absent: never.
   */
  cleanupMs?: number;
}

/** A running simulation: the world and what moves it. */
export interface Sim {
  world: World;
  options: SimOptions;
  clock: Clock;
  random: Random;
  tasks: Tasks;
  flocks: Flocks;
  defects: Defects;
  /** What the permission checks asked. */
  asked: Asked;
  /** Signs tickets. */
  secret: string;
  /** The certificate of the cluster's authority, PEM. */
  authority: string;
}

export function createSim(world: World, options: SimOptions, authority = ''): Sim {
  const random = seededRandom(options.seed);
  const clock = options.timeScale === 'held' ? heldClock(1_700_000_000_000) : runningClock(options.timeScale);
  const defects = new Defects();
  return {
    world,
    options,
    clock,
    random,
    tasks: new Tasks(clock, random, defects, options.taskMs),
    flocks: new Flocks(clock),
    defects,
    asked: new Asked(),
    secret: randomBytes(32).toString('hex'),
    authority,
  };
}
