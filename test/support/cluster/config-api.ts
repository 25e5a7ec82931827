import type { Simulator, World } from '../../../simulator';
import { startSimulator } from '../../../simulator';
import { newIdentity } from '../../../simulator/wire/certificate';
import { sendRaw } from '../api/raw-client';
import { recordedCluster } from './recorded-world';

const identity = newIdentity(['pve1', 'pve2']);

export interface ApiAnswer {
  status: number;
  reason: string;
  data: unknown;
  errors?: Record<string, string>;
}

/** A simulator with the world of the recordings, and root, or a token, talking raw HTTP to it. */
export class ConfigApi {
  private constructor(
    readonly simulator: Simulator,
    private readonly login: Record<string, string>,
  ) {}

  static async start(prepare: (world: World) => void = () => undefined): Promise<ConfigApi> {
    const world = recordedCluster('root-pw');
    prepare(world);
    const simulator = await startSimulator(world, { taskMs: 0, identity });
    const body = new URLSearchParams({ username: 'root@pam', password: 'root-pw' }).toString();
    const { text } = await sendRaw(simulator.url, {
      method: 'POST',
      path: '/api2/json/access/ticket',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const { ticket, CSRFPreventionToken } = JSON.parse(text).data;
    return new ConfigApi(simulator, {
      cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}`,
      CSRFPreventionToken,
    });
  }

  close(): Promise<void> {
    return this.simulator.close();
  }

  /** The same cluster, asked by a token `user@realm!name=secret`. */
  asToken(token: string): ConfigApi {
    return new ConfigApi(this.simulator, { authorization: `PVEAPIToken=${token}` });
  }

  async call(method: string, path: string, params: Record<string, string> = {}): Promise<ApiAnswer> {
    const form = new URLSearchParams(params).toString();
    const inBody = method === 'PUT' || method === 'POST';
    const { status, reason, text } = await sendRaw(this.simulator.url, {
      method,
      path: `/api2/json${path}${!inBody && form !== '' ? `?${form}` : ''}`,
      headers: {
        ...this.login,
        ...(inBody ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(inBody ? { body: form } : {}),
    });
    const { data, errors } = text === '' ? { data: null, errors: undefined } : JSON.parse(text);
    return { status, reason, data, ...(errors ? { errors } : {}) };
  }

  /** Sends a call that starts a task, waits for the task, and gives its exit status and log. */
  async task(
    method: string,
    path: string,
    params: Record<string, string> = {},
  ): Promise<{ exit: string; log: string[] }> {
    const { status, reason, data } = await this.call(method, path, params);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${reason}`);
    const upid = String(data);
    await this.simulator.sim.tasks.ended(upid);
    const task = this.simulator.sim.tasks.find(upid)!;
    return { exit: task.exitstatus!, log: task.log };
  }

  /** Creates a guest and waits for it. */
  async create(vmid: number, params: Record<string, string> = {}): Promise<void> {
    const { exit } = await this.task('POST', '/nodes/pve1/qemu', { vmid: String(vmid), ...params });
    if (exit !== 'OK') throw new Error(exit);
  }

  async config(vmid: number, params: Record<string, string> = {}): Promise<Record<string, unknown>> {
    const { data } = await this.call('GET', `/nodes/pve1/qemu/${vmid}/config`, params);
    return data as Record<string, unknown>;
  }

  put(vmid: number, params: Record<string, string>): Promise<ApiAnswer> {
    return this.call('PUT', `/nodes/pve1/qemu/${vmid}/config`, params);
  }

  /** What waits, by key: the pending value, or `delete`. */
  async waiting(vmid: number): Promise<Record<string, unknown>> {
    const { data } = await this.call('GET', `/nodes/pve1/qemu/${vmid}/pending`);
    const rows = (data as { key: string; pending?: unknown; delete?: number }[]).filter(
      row => row.pending !== undefined || row.delete !== undefined,
    );
    return Object.fromEntries(rows.map(row => [row.key, row.pending ?? `delete ${row.delete}`]));
  }
}
