import type { Answer } from '../cluster/call';
import { FileAnswer } from '../cluster/call';
import { GatewayFailure } from '../failure';
import type { Failure } from '../failure';
import type { Random } from '../random';
import type { Reply } from '../wire/reply';
import { jsonReply } from '../wire/reply';

/** How answers are wrapped: `json`, or `extjs`, which always says 200 and puts the outcome inside. */
export type Format = 'json' | 'extjs';

/** Longer lists keep the order of their rows' keys: shaking thousands of rows costs more than making them. */
const LONG_LIST = 500;

/** How deep the order of keys is shaken; further down nobody looks. */
const DEPTH = 3;

/** Wraps what a handler gave. */
export function wrapAnswer(format: Format, answer: Answer, random: Random): Reply {
  if (answer instanceof FileAnswer) {
    return { status: 200, reason: 'OK', body: answer.text, type: 'text/plain', fileName: answer.name };
  }
  const success = format === 'extjs' ? { success: 1 } : {};
  return reply(200, 'OK', { ...success, data: answer.data, ...answer.beside }, random);
}

/** Wraps a failure: its text is the reason phrase and the message in the body. */
export function wrapFailure(format: Format, failure: Failure, random: Random): Reply {
  if (failure instanceof GatewayFailure) return { status: failure.status, reason: failure.message };
  // PVE: the text for an unknown method has no final newline, all others end in one
  const message = failure.status === 501 ? failure.message : `${failure.message.trimEnd()}\n`;
  const errors = failure.errors ? { errors: failure.errors } : {};
  const body = { data: null, message, ...errors };
  if (format === 'json') return reply(failure.status, failure.message, body, random);
  // a code that an exception carries comes as text, that of a plain failure as a number (the number is assumed)
  const status = failure.status >= 500 ? failure.status : String(failure.status);
  return reply(200, 'OK', { ...body, success: 0, status }, random);
}

function reply(status: number, reason: string, body: object, random: Random): Reply {
  return jsonReply(status, reason, JSON.stringify(disordered(body, random, DEPTH)));
}

/** The same value with the keys of its objects in another order: Proxmox's come in no order at all. */
function disordered(value: unknown, random: Random, depth: number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (value.length > LONG_LIST) return value;
    return value.map(item => disordered(item, random, depth - 1));
  }
  const entries = Object.entries(value);
  const turn = random.below(entries.length || 1);
  const mixed: Record<string, unknown> = {};
  for (let index = 0; index < entries.length; index += 1) {
    const [key, item] = entries[(index + turn) % entries.length] ?? ['', undefined];
    mixed[key] = disordered(item, random, depth - 1);
  }
  return mixed;
}
