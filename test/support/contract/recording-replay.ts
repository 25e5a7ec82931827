import { readFileSync } from 'node:fs';
import { without } from './foreign-rows';
import type { RawAnswer, RawRequest } from '../api/raw-client';
import { sendRaw } from '../api/raw-client';
import type { Bindings } from './recording-match';
import { differences } from './recording-match';
import type { Step } from './recording-step';
import { encode, valueAt } from './recording-step';

export interface Target {
  /** https://host:port/api2/json */
  base: string;
  user: string;
  password: string;
  world: {
    users: Record<string, { password?: string }>;
    tokens: Record<string, { value: string }>;
  };
  /** Lets the target's time pass. */
  sleep(ms: number): Promise<void>;
  /** Waits for an answer, and lets the target's time pass meanwhile. */
  during<T>(answer: Promise<T>): Promise<T>;
  control?: (action: string, node: string) => Promise<void>;
  /** Is told of each answer. */
  seen?: (answer: RawAnswer) => void;
  /** Whether the lines of task logs are compared; absent: yes. */
  comparesLogs?: boolean;
  /** Rows of lists that were there before the recording. */
  isForeign?: (row: Record<string, unknown>) => boolean;
}

const EVERY_MS = 500;
const POLL_MS = 100;
const LONGEST_TASK_MS = 180_000;

interface Outcome {
  status: number;
  reason: string;
  body?: unknown;
  text?: string;
  task?: Record<string, unknown>;
}

/** Plays the recordings of one file against a target and lists what differs, step by step. */
export async function replay(
  target: Target,
  file: string,
): Promise<{ steps: number; failures: Map<number, string[]> }> {
  const { steps } = JSON.parse(readFileSync(file, 'utf8')) as { steps: Step[] };
  const player = new Player(target);
  const failures = new Map<number, string[]>();
  for (const step of steps) {
    const found = await player.play(step);
    if (found.length > 0) failures.set(step.n, found);
  }
  return { steps: steps.length, failures };
}

class Player {
  private bindings: Bindings = new Map();
  private readonly variables: Record<string, string>;
  private readonly tickets = new Map<string, { ticket: string; csrf: string }>();

  constructor(private readonly target: Target) {
    this.variables = { user: target.user, password: target.password };
  }

  async play(step: Step): Promise<string[]> {
    if (step.control) {
      await this.target.control?.(step.control.action, step.control.node);
      return [];
    }
    if (step.delay) await this.target.sleep(step.delay * 1000);
    for (let left = (step.eventually ?? 0) * 1000; ; left -= EVERY_MS) {
      const trial: Bindings = new Map(this.bindings);
      const outcome = await this.request(step);
      const found = compare(this.expected(step), outcome, trial);
      if (found.length > 0 && left > 0) {
        await this.target.sleep(EVERY_MS);
        continue;
      }
      this.bindings = trial;
      this.capture(step, outcome);
      return found;
    }
  }

  /** The step as far as the target is compared with it. */
  private expected(step: Step): Step {
    const { task } = step.expect;
    if (this.target.comparesLogs !== false || !task) return step;
    const { log: _log, ...rest } = task;
    return { ...step, expect: { ...step.expect, task: rest } };
  }

  private async request(step: Step): Promise<Outcome> {
    const headers = await this.headersFor(step);
    const { path, body, contentType } = encode(this.fill(step) as Step);
    const answer = await this.send({
      method: step.method,
      path,
      headers: { ...headers, ...(contentType ? { 'content-type': contentType } : {}), ...step.headers },
      ...(body === undefined ? {} : { body }),
    });
    const outcome = outcomeOf(answer);
    const { isForeign, comparesLogs } = this.target;
    if (isForeign) outcome.body = without(isForeign, outcome.body);
    const data = (outcome.body as { data?: unknown } | undefined)?.data;
    if (step.wait && answer.status === 200 && typeof data === 'string' && data.startsWith('UPID:')) {
      const { log, ...task } = await this.taskEnd(data);
      outcome.task = comparesLogs === false ? task : { ...task, log };
    }
    return outcome;
  }

  private async taskEnd(upid: string): Promise<Record<string, unknown>> {
    const path = `/nodes/${upid.split(':')[1]}/tasks/${encodeURIComponent(upid)}`;
    for (let left = LONGEST_TASK_MS; ; left -= POLL_MS) {
      const headers = await this.headersFor({ as: 'root', method: 'GET' } as Step);
      const answer = outcomeOf(await this.send({ method: 'GET', path: `${path}/status`, headers }));
      const status = (answer.body as { data?: Record<string, unknown> } | undefined)?.data;
      if (!status) throw new Error(`task status of ${upid}: ${answer.status} ${answer.reason}`);
      if (status['status'] === 'stopped') return this.taskOutcome(status, path, headers);
      if (left <= 0) throw new Error(`task ${upid} does not end`);
      await this.target.sleep(POLL_MS);
    }
  }

  private async taskOutcome(status: Record<string, unknown>, path: string, headers: Record<string, string>) {
    const log = outcomeOf(await this.send({ method: 'GET', path: `${path}/log?limit=0`, headers }));
    const lines = (log.body as { data?: { t: string }[] }).data ?? [];
    const kept = ['status', 'exitstatus', 'type', 'id', 'user', 'tokenid', 'node'].filter(
      key => key in status,
    );
    return { ...Object.fromEntries(kept.map(key => [key, status[key]])), log: lines.map(({ t }) => t) };
  }

  private async headersFor({ as = 'root', method, no_csrf }: Step): Promise<Record<string, string>> {
    if (as === 'none') return {};
    if (as.startsWith('token:')) {
      const token = this.fill(as.slice(6)) as string;
      const full = token.includes('=') ? token : `${token}=${this.target.world.tokens[token]?.value}`;
      return { authorization: `PVEAPIToken=${full}` };
    }
    if (as.startsWith('ticket:')) {
      const parts = Object.fromEntries(as.split(',').map(part => part.split(/:(.*)/s).slice(0, 2)));
      const csrf =
        parts['csrf'] === undefined ? {} : { csrfpreventiontoken: this.fill(parts['csrf']) as string };
      return { cookie: `PVEAuthCookie=${encodeURIComponent(this.fill(parts['ticket']) as string)}`, ...csrf };
    }
    const user = as === 'root' ? this.target.user : as.slice('user:'.length);
    const { ticket, csrf } = this.tickets.get(user) ?? (await this.login(user));
    const token = method === 'GET' || no_csrf ? {} : { csrfpreventiontoken: csrf };
    return { cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}`, ...token };
  }

  private async login(user: string): Promise<{ ticket: string; csrf: string }> {
    const password =
      user === this.target.user ? this.target.password : this.target.world.users[user]?.password;
    const answer = await this.send({
      method: 'POST',
      path: '/access/ticket',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ username: user, password: password ?? '' }).toString(),
    });
    if (answer.status !== 200) throw new Error(`login as ${user} failed: ${answer.status} ${answer.reason}`);
    const { data } = JSON.parse(answer.text) as { data: { ticket: string; CSRFPreventionToken: string } };
    const login = { ticket: data.ticket, csrf: data.CSRFPreventionToken };
    this.tickets.set(user, login);
    return login;
  }

  private send(request: RawRequest): Promise<RawAnswer> {
    return this.target.during(this.sendAndTell(request));
  }

  private async sendAndTell(request: RawRequest): Promise<RawAnswer> {
    const answer = await sendRaw(this.target.base, request);
    this.target.seen?.(answer);
    return answer;
  }

  private capture(step: Step, outcome: Outcome): void {
    for (const [name, spec] of Object.entries(step.capture ?? {})) {
      const { path, re } = typeof spec === 'string' ? { path: spec, re: undefined } : spec;
      const value = String(valueAt(outcome.body, path));
      this.variables[name] = re === undefined ? value : (new RegExp(re).exec(value)?.[1] ?? '');
    }
  }

  /** Replaces ${name} in all texts of a value. */
  private fill(value: unknown): unknown {
    if (typeof value === 'string')
      return value.replace(/\$\{([A-Za-z0-9_]+)\}/g, (_, name: string) => this.variables[name] ?? '');
    if (Array.isArray(value)) return value.map(element => this.fill(element));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.fill(inner)]));
  }
}

function outcomeOf({ status, reason, text }: RawAnswer): Outcome {
  try {
    return { status, reason, body: JSON.parse(text) as unknown };
  } catch {
    return { status, reason, text };
  }
}

function compare({ expect }: Step, outcome: Outcome, bindings: Bindings): string[] {
  if (expect.status !== outcome.status) {
    return [`status: expected ${expect.status} ${expect.reason}, got ${outcome.status} ${outcome.reason}`];
  }
  const found =
    expect.reason === undefined ? [] : differences(expect.reason, outcome.reason, bindings, 'reason');
  if ('body' in expect) {
    if (outcome.body === undefined) found.push(`body: expected JSON, got ${outcome.text}`);
    else found.push(...differences(expect.body, outcome.body, bindings, '$'));
  } else if (expect.text !== undefined) {
    found.push(...differences(expect.text, outcome.text ?? outcome.body, bindings, 'text'));
  }
  if (!expect.task) return found;
  if (!outcome.task) return [...found, 'task: none was started'];
  return [
    ...found,
    ...differences(withoutChatter(expect.task), withoutChatter(outcome.task), bindings, 'task'),
  ];
}

// FORMAT.md: lines of progress and chatter were dropped from the recordings, from the later ones also the command;
// the latest still have the lines of qemu-img
const CHATTER =
  /^(Formatting '|update VM \d+: |drive mirror is starting for |all 'mirror' jobs are ready$|drive-\S+: (Completing|Completed|mirror-job) )/;

/** A task as FORMAT.md compares it: of its log only what the recordings keep. */
function withoutChatter({ log, ...task }: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(log)) return task;
  return {
    ...task,
    log: log
      .map(String)
      .filter(line => !CHATTER.test(line))
      .map(withoutMoment),
  };
}

/** The latest recordings hold the times, addresses and durations that the others have placeholders for. */
function withoutMoment(line: string): string {
  return line
    .replace(/^(<time>|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) /, 'TIME ')
    .replace(/ \((<ip>|[\d.]+)\)$/, ' (ADDRESS)')
    .replace(/\(duration (<\w+>|\d\d:\d\d:\d\d)\)/, '(duration TIME)');
}
