import type { Simulator, World } from '../../../simulator';
import { startSimulator } from '../../../simulator';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import type { RawAnswer } from '../api/raw-client';
import { sendRaw } from '../api/raw-client';
import { recordedCluster } from './recorded-world';

export interface Ended {
  exitstatus: string;
  log: string[];
  type: string;
  id: string;
  upid: string;
}

export type Params = Record<string, string | number>;

const PASSWORD = 'held-cluster';
const STEP_MS = 400;

/** A simulated cluster with the recordings' world whose clock stands still: time passes only inside `run` and `pass`. */
export class HeldCluster {
  private ticket = '';
  private csrf = '';
  private readonly named: RegExp[] = [];

  private constructor(private readonly simulator: Simulator) {}

  static async start(
    change: (world: World) => void = () => undefined,
    options: Parameters<typeof startSimulator>[1] = {},
  ): Promise<HeldCluster> {
    const world = recordedCluster(PASSWORD);
    change(world);
    const cluster = new HeldCluster(await startSimulator(world, { timeScale: 'held', seed: 1, ...options }));
    const login = { username: 'root@pam', password: PASSWORD };
    const { ticket, CSRFPreventionToken } = (await cluster.data('POST', '/access/ticket', login)) as Record<
      string,
      string
    >;
    cluster.ticket = ticket ?? '';
    cluster.csrf = CSRFPreventionToken ?? '';
    return cluster;
  }

  get world(): World {
    return this.simulator.world;
  }

  /** Stops the cluster, and fails the test when its world is broken. What the test itself broke it has to name. */
  async close(): Promise<void> {
    const broken = brokenInvariants(this.simulator.sim).filter(
      text => !this.named.some(each => each.test(text)),
    );
    await this.simulator.close();
    if (broken.length > 0) throw new Error(`the world is broken:\n${broken.join('\n')}`);
  }

  /** Says that the test breaks the world in this way, or asks for what Proxmox leaves broken. */
  breaks(text: RegExp): void {
    this.named.push(text);
  }

  /** Sends a request as root, or with a token, and gives the answer as it came. */
  request(method: string, path: string, params: Params = {}, token?: string): Promise<RawAnswer> {
    const text = new URLSearchParams(
      Object.entries(params).map(([key, value]): [string, string] => [key, String(value)]),
    ).toString();
    const inBody = method === 'POST' || method === 'PUT';
    const query = inBody || text === '' ? '' : `?${text}`;
    const body = inBody && text !== '' ? { body: text } : {};
    const type = inBody && text !== '' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
    const who =
      token === undefined
        ? { cookie: `PVEAuthCookie=${encodeURIComponent(this.ticket)}`, csrfpreventiontoken: this.csrf }
        : { authorization: `PVEAPIToken=${token}` };
    const headers: Record<string, string> = { ...who, ...type };
    return sendRaw(`${this.simulator.url}/api2/json`, { method, path: path + query, headers, ...body });
  }

  /** What `data` holds; fails the test when the answer is no success. */
  async data(method: string, path: string, params: Params = {}, token?: string): Promise<unknown> {
    const answer = await this.request(method, path, params, token);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.reason}`);
    return (JSON.parse(answer.text) as { data: unknown }).data;
  }

  /** `status text` of an answer, for refusals; a 400 names its parameters instead. */
  async refusal(method: string, path: string, params: Params = {}, token?: string): Promise<string> {
    const { status, reason, text } = await this.request(method, path, params, token);
    const { errors } = JSON.parse(text === '' ? '{}' : text) as { errors?: Record<string, string> };
    return `${status} ${errors ? JSON.stringify(errors) : reason}`;
  }

  /** Starts a task and returns its UPID at once. */
  async begin(method: string, path: string, params: Params = {}): Promise<string> {
    return (await this.data(method, path, params)) as string;
  }

  /** Lets time pass until the task has ended. */
  async ended(upid: string): Promise<Ended> {
    const path = `/nodes/${upid.split(':')[1]}/tasks/${encodeURIComponent(upid)}`;
    for (;;) {
      const status = (await this.data('GET', `${path}/status`)) as Record<string, string>;
      if (status['status'] === 'stopped') {
        const lines = (await this.data('GET', `${path}/log`, { limit: 0 })) as { t: string }[];
        const { exitstatus = '', type = '', id = '' } = status;
        return { exitstatus, type, id, upid, log: lines.map(({ t }) => t) };
      }
      await this.pass(STEP_MS);
    }
  }

  /** Starts a task and lets time pass until it has ended. */
  async run(method: string, path: string, params: Params = {}): Promise<Ended> {
    return this.ended(await this.begin(method, path, params));
  }

  /** Waits for an answer that itself needs time, such as a wait for a lock. */
  async patiently<T>(answer: Promise<T>): Promise<T> {
    let open = true;
    void answer.finally(() => (open = false)).catch(() => undefined);
    for (;;) {
      await new Promise(resolve => setImmediate(resolve));
      if (!open) return answer;
      await this.pass(STEP_MS);
    }
  }

  pass(ms: number): Promise<void> {
    return this.simulator.sim.clock.advance(ms);
  }
}
