import { setTimeout as pause } from 'node:timers/promises';
import type { RawAnswer } from '../api/raw-client';
import { sendRaw } from '../api/raw-client';

export type Params = Record<string, string | number>;
export type Row = Record<string, unknown>;

const POLL_MS = 500;
const LONGEST_TASK_MS = 300_000;

/** A login at a cluster that is only known by its address: what the contract suite itself asks there. */
export class ClusterSession {
  private headers: Record<string, string> | undefined;
  /** The cluster's time at the latest answer, in seconds. */
  time = 0;

  constructor(
    /** https://host:port/api2/json */
    readonly base: string,
    readonly user: string,
    private readonly password: string,
  ) {}

  /** What `data` holds. Fails when the answer is no success. */
  async get(path: string): Promise<unknown> {
    return dataOf('GET', path, await this.ask('GET', path));
  }

  async rows(path: string): Promise<Row[]> {
    return (await this.get(path)) as Row[];
  }

  /** Changes something, and waits for the task where one is started. Gives what went wrong; undefined for nothing. */
  async change(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    params: Params = {},
  ): Promise<string | undefined> {
    const answer = await this.ask(method, path, params);
    if (answer.status !== 200) return `${method} ${path}: ${answer.status} ${answer.reason}`;
    const { data } = JSON.parse(answer.text) as { data: unknown };
    if (typeof data !== 'string' || !data.startsWith('UPID:')) return undefined;
    const exitstatus = await this.ended(data);
    return /^(OK|WARNINGS: \d+)$/.test(exitstatus) ? undefined : `${method} ${path}: ${exitstatus}`;
  }

  private async ended(upid: string): Promise<string> {
    const path = `/nodes/${upid.split(':')[1]}/tasks/${encodeURIComponent(upid)}/status`;
    for (let left = LONGEST_TASK_MS; left > 0; left -= POLL_MS) {
      const { status, exitstatus } = (await this.get(path)) as Record<string, string>;
      if (status === 'stopped') return exitstatus ?? '';
      await pause(POLL_MS);
    }
    return `the task ${upid} does not end`;
  }

  private async ask(method: string, path: string, params: Params = {}): Promise<RawAnswer> {
    let answer = await this.send(method, path, params);
    if (answer.status === 401) {
      // a ticket lasts two hours of the cluster's own time
      this.headers = undefined;
      answer = await this.send(method, path, params);
    }
    this.time = Math.floor(Date.parse(String(answer.headers['date'])) / 1000);
    return answer;
  }

  private async send(method: string, path: string, params: Params): Promise<RawAnswer> {
    const headers = (this.headers ??= await this.login());
    const text = new URLSearchParams(
      Object.entries(params).map(([key, value]): [string, string] => [key, String(value)]),
    ).toString();
    if (method === 'DELETE' && text !== '')
      return sendRaw(this.base, { method, path: `${path}?${text}`, headers });
    if (text === '') return sendRaw(this.base, { method, path, headers });
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return sendRaw(this.base, { method, path, headers: { ...headers, ...type }, body: text });
  }

  private async login(): Promise<Record<string, string>> {
    const answer = await sendRaw(this.base, {
      method: 'POST',
      path: '/access/ticket',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ username: this.user, password: this.password }).toString(),
    });
    const data = dataOf('POST', '/access/ticket', answer) as Record<string, string>;
    const cookie = `PVEAuthCookie=${encodeURIComponent(data['ticket'] ?? '')}`;
    return { cookie, csrfpreventiontoken: data['CSRFPreventionToken'] ?? '' };
  }
}

function dataOf(method: string, path: string, { status, reason, text }: RawAnswer): unknown {
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${reason}`);
  return (JSON.parse(text) as { data: unknown }).data;
}
