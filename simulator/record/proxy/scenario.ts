import { isRow, rowOf } from '../shape';
import type { Row } from '../shape';
import type { Chosen } from './chosen';
import { choose } from './chosen';
import type { Exchange } from './exchange';
import { Placeholders } from './placeholders';
import type { Recording } from './recording';
import { requestOf } from './request';
import { secretFieldsOf } from './secret-fields';
import { scrubbed, secretsIn } from './secrets';
import { whoSent } from './who';

export interface Scenario {
  /** As FORMAT.md describes it, without a secret. */
  file: Row;
  steps: number;
  passedOver: number;
  /** Requests that FORMAT.md has no words for. */
  leftOut: string[];
}

/** Answers that tell of a moment, or of what must not be told: only that they came is compared. */
const MOMENTS =
  /\/(rrd|rrddata|syslog|journal|report|netstat|dump|file-read|exec-status|get-time|vncproxy|termproxy|spiceproxy|monitor)$|^\/nodes\/[^/]+\/(status|tasks|time|apt\/.*|subscription)$|^\/cluster\/(tasks|log|nextid|config\/join|ha\/status\/.*)$|^\/access\/(tfa.*|permissions)$|^\/version$/;

/** The scenario of what was handed on so far. */
export function scenarioOf(
  name: string,
  { exchanges, secrets: more, folded }: Pick<Recording, 'exchanges' | 'secrets' | 'folded'>,
): Scenario {
  const { steps: chosen, passedOver } = choose(exchanges);
  const writer = new Writer();
  const leftOut: string[] = [];
  for (const each of chosen) {
    if (!writer.add(each)) leftOut.push(`${each.exchange.method} ${each.exchange.path}`);
  }
  const secrets = [...new Set([...more, ...secretsIn(exchanges)])].sort(
    (one, other) => other.length - one.length,
  );
  const file = {
    name,
    title: 'Recorded through pve-simulator record --proxy',
    world: 'world',
    steps: scrubbed(writer.steps, secrets),
  };
  return { file, steps: writer.steps.length, passedOver: passedOver + folded, leftOut };
}

class Writer {
  readonly steps: Row[] = [];
  private readonly placeholders = new Placeholders();

  /** Adds a step; false where there are no words for its request. */
  add({ exchange, eventually, wait }: Chosen): boolean {
    const request = requestOf(exchange);
    if (!request) return false;
    const who = whoSent(exchange);
    // a token that was made in this scenario has another secret in each run
    const as =
      who.secret !== undefined && this.placeholders.originOf(who.secret) ? `${who.as}=${who.secret}` : who.as;
    const isWrite = exchange.method !== 'GET';
    const lacksCsrf =
      isWrite && who.user !== undefined && exchange.headers['csrfpreventiontoken'] === undefined;
    const filled = this.filled({ as, ...request });
    if (!isRow(filled)) return false;
    this.placeholders.remember(filled);
    this.steps.push({
      n: this.steps.length + 1,
      ...filled,
      ...(lacksCsrf ? { no_csrf: true } : {}),
      ...(wait ? { wait } : {}),
      ...(eventually === undefined ? {} : { eventually }),
      expect: this.expected(exchange),
    });
    return true;
  }

  private expected(exchange: Exchange): Row {
    const { status, reason, answer, path } = exchange;
    const head = { status, reason: this.placeholders.write(reason, { step: -1, isSecret: () => false }, '') };
    if (answer === undefined) return head;
    let body: unknown;
    try {
      body = JSON.parse(answer);
    } catch {
      return { ...head, text: answer === '' ? '' : '<any>' };
    }
    if (MOMENTS.test(path) && isRow(body) && status === 200)
      return { ...head, body: { ...body, data: '<any>' } };
    const place = { step: this.steps.length, isSecret: secretFieldsOf(path) };
    if (!isRow(body)) return { ...head, body: this.placeholders.write(body, place, '$') };
    // the frame's own `data` is no field
    const { data, ...frame } = body;
    const written = 'data' in body ? { data: this.placeholders.write(data, place, '$.data') } : {};
    return { ...head, body: { ...written, ...rowOf(this.placeholders.write(frame, place, '$')) } };
  }

  /** A request in which what an earlier answer gave is taken from that answer. */
  private filled(value: unknown): unknown {
    if (typeof value === 'string') return this.filledText(value);
    if (Array.isArray(value)) return value.map(each => this.filled(each));
    if (!isRow(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.filled(each)]));
  }

  private filledText(text: string): string {
    let filled = text;
    for (const value of this.placeholders.knownIn(text)) {
      const origin = this.placeholders.originOf(value);
      const step = origin && this.steps[origin.step];
      if (!origin || !step) continue;
      const captures: Row = isRow(step['capture']) ? step['capture'] : {};
      const known = Object.entries(captures).find(([, path]) => path === origin.path)?.[0];
      const name = known ?? `v${origin.step + 1}_${Object.keys(captures).length + 1}`;
      step['capture'] = { ...captures, [name]: origin.path };
      filled = filled.replaceAll(value, `\${${name}}`);
    }
    return filled;
  }
}
