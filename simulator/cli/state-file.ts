import { existsSync } from 'node:fs';
import type { Simulator } from '../api/start';
import type { Task } from '../tasks/task';
import type { Identity } from '../wire/certificate';
import { checkIdentity } from '../wire/certificate';
import type { World } from '../world';
import { understand } from './read-files';
import { UsageError } from './usage-error';
import { warn } from './warn';
import { writeWhole } from './write-whole';

/** All that outlives a run. */
export interface State {
  format: 1;
  world: World;
  tasks: Task[];
  identity: Identity;
  /** Signs tickets, so that they outlive the run too. */
  secret: string;
}

/** What an earlier run left; undefined where there was none. Fails on a file that is none of ours. */
export function readStateFile(path: string): State | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return understand(path, checkState);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--state ${why}. Remove the file to start anew, or name another.`, { cause: error });
  }
}

function checkState(json: unknown): State {
  // only this program writes such files, so a look at the frame is enough
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- see above
  const state = json as Partial<State> | null;
  const { format, world, tasks, identity, secret } = state ?? {};
  if (format !== 1) throw new Error('this is no state file of this version of the simulator');
  if (!world || !Array.isArray(world.nodes) || !Array.isArray(tasks) || !identity || !secret)
    throw new Error('the state file is incomplete');
  checkIdentity(identity);
  return { format, world, tasks, identity, secret };
}

const EVERY_MS = 200;

const notKept = (path: string, error: unknown): string =>
  `${path} cannot be written (${error instanceof Error ? error.message : String(error)}). The cluster goes on, and what ` +
  'happens in it is lost when it ends now. Make room or mend the rights: it is tried again all the time.';

/** Keeps the state file up with the simulator, and returns what writes it one last time. */
export function keepState(path: string, simulator: Simulator, identity: Identity): () => void {
  let written = '';
  let seen = -1;
  const save = (): void => {
    const { world, sim } = simulator;
    const state: State = { format: 1, world, tasks: sim.tasks.all(), identity, secret: sim.secret };
    const content = JSON.stringify(state);
    if (content !== written) writeWhole(path, content);
    written = content;
  };
  save();
  let isFailing = false;
  const timer = setInterval(() => {
    const { sim, ledger } = simulator;
    const asked = ledger.total().requests;
    const isBusy = sim.tasks.all().some(({ status }) => status === 'running');
    if (asked === seen && !isBusy) return;
    // a task that ends just now is written in the next round
    seen = isBusy ? -1 : asked;
    try {
      save();
      isFailing = false;
    } catch (error) {
      // the cluster goes on in memory; the next round tries again
      seen = -1;
      if (!isFailing) warn(notKept(path, error));
      isFailing = true;
    }
  }, EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    save();
  };
}
