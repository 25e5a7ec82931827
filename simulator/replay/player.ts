import type { Row } from '../record/shape';
import { isRow, rowOf, rowsOf } from '../record/shape';
import type { Answer, Outcome } from './compare';
import { compare, outcomeOf } from './compare';
import type { Credentials } from './logins';
import { Logins } from './logins';
import type { Difference } from './match';
import type { Bindings } from './placeholder';
import type { Request } from './request';
import { encode } from './request';
import type { Scenario, Step } from './step';
import { valueAt } from './value-at';
import { Variables } from './variables';

/** Decides which steps are sent. */
export interface Caution {
  /** Why a step is not sent; undefined: it is. Its variables are filled in. */
  whyNot(step: Step): string | undefined;
}

/** Something that answers as a cluster. */
export interface Target {
  send(request: Request): Promise<Answer>;
  credentials: Credentials;
  /** Lets the target's time pass. */
  sleep(ms: number): Promise<void>;
  /** Makes something happen to a node; absent: nobody can. */
  control?(action: string, node: string): Promise<void>;
  /** Absent: everything is sent. */
  caution?: Caution;
  /** Whether the lines of task logs are compared. */
  comparesLogs: boolean;
  /** An answer without what was there before the scenario. */
  ownPart?(body: unknown): unknown;
}

export interface Played {
  step: Step;
  differences: Difference[];
  /** Why the step was not played. */
  leftOut?: string;
}

const EVERY_MS = 500;
const POLL_MS = 100;
const LONGEST_TASK_MS = 180_000;
const OF_TASK = ['status', 'exitstatus', 'type', 'id', 'user', 'tokenid', 'node'];

/** Plays a scenario against a target, and gives what differs, step by step. */
export async function play(target: Target, { steps }: Pick<Scenario, 'steps'>): Promise<Played[]> {
  const player = new Player(target);
  const played: Played[] = [];
  for (const step of steps) played.push({ step, ...(await player.play(step)) });
  return played;
}

class Player {
  private bindings: Bindings = new Map();
  private readonly variables: Variables;
  private readonly logins: Logins;

  constructor(private readonly target: Target) {
    const { user, passwords } = target.credentials;
    // a scenario of somebody else could send it anywhere
    const known = target.caution === undefined ? { password: passwords[user] } : {};
    this.variables = new Variables({ user, ...known });
    this.logins = new Logins(target.credentials, request => target.send(request));
  }

  async play(step: Step): Promise<Omit<Played, 'step'>> {
    const unknown = this.variables.unknownIn(step);
    const filled = this.variables.fillStep(step);
    const leftOut =
      unknown === undefined
        ? (this.target.caution?.whyNot(filled) ?? this.logins.whyNot(filled.as))
        : `it needs \${${unknown}}, which no answer gave`;
    if (leftOut !== undefined) return { differences: [], leftOut };
    if (step.control) return this.control(step.control);
    if (step.delay > 0) await this.target.sleep(step.delay * 1000);
    return { differences: await this.untilRight(step, filled) };
  }

  private async control({ action, node }: NonNullable<Step['control']>): Promise<Omit<Played, 'step'>> {
    if (!this.target.control) return { differences: [], leftOut: 'nothing can be done to nodes there' };
    await this.target.control(action, node);
    return { differences: [] };
  }

  private async untilRight(step: Step, filled: Step): Promise<Difference[]> {
    for (let left = step.eventually * 1000; ; left -= EVERY_MS) {
      const trial: Bindings = new Map(this.bindings);
      const outcome = await this.request(filled);
      const found = compare(this.expected(step), outcome, trial);
      if (found.length > 0 && left > 0) {
        await this.target.sleep(EVERY_MS);
        continue;
      }
      this.bindings = trial;
      return [...found, ...this.capture(step, outcome)];
    }
  }

  /** The step as far as the target is compared with it. */
  private expected(step: Step): Step {
    const { task } = step.expect;
    if (this.target.comparesLogs || !task) return step;
    return { ...step, expect: { ...step.expect, task: withoutLog(task) } };
  }

  private async request(filled: Step): Promise<Outcome> {
    const headers = await this.logins.headersFor(filled);
    const { path, body, contentType } = encode(filled);
    const answer = await this.target.send({
      method: filled.method,
      path,
      headers: { ...headers, ...(contentType ? { 'content-type': contentType } : {}), ...filled.headers },
      ...(body === undefined ? {} : { body }),
    });
    const outcome = outcomeOf(answer);
    if (this.target.ownPart) outcome.body = this.target.ownPart(outcome.body);
    const { data } = rowOf(outcome.body);
    if (filled.wait && answer.status === 200 && typeof data === 'string' && data.startsWith('UPID:')) {
      const task = await this.taskEnd(data);
      outcome.task = this.target.comparesLogs ? task : withoutLog(task);
    }
    return outcome;
  }

  private async taskEnd(upid: string): Promise<Row> {
    const path = `/nodes/${upid.split(':')[1]}/tasks/${encodeURIComponent(upid)}`;
    for (let left = LONGEST_TASK_MS; ; left -= POLL_MS) {
      const { status, reason, body } = await this.read(`${path}/status`);
      const { data } = rowOf(body);
      if (!isRow(data))
        throw new Error(`the end of the task ${upid} cannot be read: ${status} ${reason}. Look at it there`);
      if (data['status'] === 'stopped') return this.taskOutcome(data, path);
      if (left <= 0)
        throw new Error(`the task ${upid} does not end within ${LONGEST_TASK_MS / 1000} s. Look at it there`);
      await this.target.sleep(POLL_MS);
    }
  }

  private async taskOutcome(status: Row, path: string): Promise<Row> {
    const { body } = await this.read(`${path}/log?limit=0`);
    const kept = OF_TASK.filter(key => key in status).map(key => [key, status[key]]);
    return { ...Object.fromEntries(kept), log: rowsOf(rowOf(body)['data']).map(({ t }) => t) };
  }

  private async read(path: string): Promise<Outcome> {
    const headers = await this.logins.headersFor({ as: 'root', method: 'GET', noCsrf: false });
    return outcomeOf(await this.target.send({ method: 'GET', path, headers }));
  }

  private capture(step: Step, outcome: Outcome): Difference[] {
    return step.capture.flatMap(({ name, path, re }): Difference[] => {
      const found = valueAt(outcome.body, path);
      const value = re === undefined ? found : new RegExp(re).exec(String(found))?.[1];
      if (value === undefined) return [{ kind: 'key', says: `${path}: nothing is there for \${${name}}` }];
      this.variables.set(name, String(value));
      return [];
    });
  }
}

const withoutLog = ({ log: _log, ...task }: Row): Row => task;
