import { brokenInvariants } from '../../../simulator/invariants/broken';
import type { Answered, Params } from './ask';
import { ask, login } from './ask';
import { recordedWorld } from './recorded-world';
import type { ClusterOptions } from './start-cluster';
import { ROOT, startCluster } from './start-cluster';

export interface Ended {
  exitstatus: string;
  log: string[];
  type: string;
  id: string;
  upid: string;
}

const STEP_MS = 400;

/**
 * A simulated cluster and root's ticket to it, over raw HTTP; a token asks where one is named. Unless said otherwise
 * its world is that of the recordings, and its clock stands still: time passes only inside `ended`, `run`,
 * `patiently` and `pass`.
 */
export async function openCluster(options: ClusterOptions = {}) {
  const { world = recordedWorld(), timeScale = 'held', taskMs = 'by kind', ...rest } = options;
  const simulator = await startCluster({ world, timeScale, taskMs, ...rest });
  const root = await login(simulator, ROOT);
  const expected: RegExp[] = [];

  const pass = (ms: number): Promise<void> => simulator.sim.clock.advance(ms);
  const request = (method: string, path: string, params: Params = {}, token?: string): Promise<Answered> => {
    const headers = token === undefined ? root : { authorization: `PVEAPIToken=${token}` };
    return ask(simulator, method, path, { headers, params });
  };
  const data = async (
    method: string,
    path: string,
    params: Params = {},
    token?: string,
  ): Promise<unknown> => {
    const answer = await request(method, path, params, token);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.reason}`);
    return answer.data;
  };
  const begin = async (method: string, path: string, params: Params = {}, token?: string): Promise<string> =>
    (await data(method, path, params, token)) as string;
  const ended = async (upid: string): Promise<Ended> => {
    const path = `/nodes/${upid.split(':')[1]}/tasks/${encodeURIComponent(upid)}`;
    for (;;) {
      const status = (await data('GET', `${path}/status`)) as Record<string, string>;
      if (status['status'] === 'stopped') {
        const lines = (await data('GET', `${path}/log`, { limit: 0 })) as { t: string }[];
        const { exitstatus = '', type = '', id = '' } = status;
        return { exitstatus, type, id, upid, log: lines.map(({ t }) => t) };
      }
      await (timeScale === 'held' ? pass(STEP_MS) : simulator.sim.tasks.ended(upid));
    }
  };

  return {
    simulator,
    world: simulator.world,
    /** The headers of root's ticket. */
    root,
    pass,
    /** Sends a request and gives the answer as it came. */
    request,
    /** What `data` holds; fails the test when the answer is no success. */
    data,
    /** `status text` of an answer, for refusals; a 400 names its parameters instead. */
    refusal: async (method: string, path: string, params: Params = {}, token?: string): Promise<string> => {
      const { status, reason, errors } = await request(method, path, params, token);
      return `${status} ${errors ? JSON.stringify(errors) : reason}`;
    },
    /** Starts a task and returns its UPID at once. */
    begin,
    /** Lets time pass until the task has ended. */
    ended,
    /** Starts a task and lets time pass until it has ended. */
    run: async (method: string, path: string, params: Params = {}, token?: string): Promise<Ended> =>
      ended(await begin(method, path, params, token)),
    /** Lets time pass until the answer is there: some wait for a lock, or for a task. */
    patiently: async <T>(answer: Promise<T>): Promise<T> => {
      let isOpen = true;
      void answer.finally(() => (isOpen = false)).catch(() => undefined);
      for (;;) {
        await new Promise(resolve => setImmediate(resolve));
        if (!isOpen) return answer;
        await pass(STEP_MS);
      }
    },
    /** Says that the test breaks the world in this way, or asks for what Proxmox leaves broken. */
    breaks: (text: RegExp): void => void expected.push(text),
    /** Stops the cluster, and fails the test when its world is broken. What the test itself broke it has to name. */
    close: async (): Promise<void> => {
      const broken = brokenInvariants(simulator.sim).filter(text => !expected.some(each => each.test(text)));
      await simulator.close();
      if (broken.length > 0) throw new Error(`the world is broken:\n${broken.join('\n')}`);
    },
  };
}

export type OpenCluster = Awaited<ReturnType<typeof openCluster>>;
