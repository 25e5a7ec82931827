import { readEvent } from '../events/read';
import { Fields, configText, oneOrMany, refuse } from '../world-file/fields';
import type { Effect, Fault, Work } from './fault';

/** Understands faults from JSON: one, or a list. Fails with the place and what belongs there. */
export function readFaults(json: unknown): Fault[] {
  return oneOrMany(json, 'fault', readFault);
}

function readFault(json: unknown, at: string): Fault {
  const fields = new Fields(json, at);
  const fault: Fault = {
    path: fields.text('path'),
    effect: readEffect(fields.raw('effect'), `${at}.effect`),
  };
  if (!fault.path.startsWith('/')) refuse(fields.place('path'), fault.path, 'a path that starts with /');
  if (fields.has('methods')) fault.methods = fields.list('methods', configText);
  if (fields.has('user')) fault.user = fields.text('user');
  if (fields.has('after')) fault.after = fields.count('after');
  if (fields.has('count')) fault.count = fields.count('count');
  if (fields.has('probability')) fault.probability = probability(fields);
  fields.end();
  return fault;
}

function probability(fields: Fields): number {
  const value = fields.raw('probability');
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  return refuse(fields.place('probability'), value, 'a number from 0 to 1');
}

const EFFECTS: Record<Effect['kind'], (fields: Fields, at: string) => Effect> = {
  answer: fields => ({
    kind: 'answer',
    status: fields.count('status'),
    text: fields.text('text'),
    ...(fields.has('errors') ? { errors: fields.map('errors', configText) } : {}),
  }),
  gateway: fields => {
    const status = fields.count('status');
    return { kind: 'gateway', status, text: fields.text('text', GATEWAY[status]), work: work(fields) };
  },
  reset: fields => ({ kind: 'reset', work: work(fields) }),
  slow: fields => ({ kind: 'slow', ms: fields.count('ms'), work: work(fields) }),
  half: () => ({ kind: 'half' }),
  'lock-timeout': () => ({ kind: 'lock-timeout' }),
  'token-revoked': () => ({ kind: 'token-revoked' }),
  event: (fields, at) => ({ kind: 'event', event: readEvent(fields.raw('event'), `${at}.event`) }),
};

/** The usual texts of a proxy that gave up. */
const GATEWAY: Record<number, string> = {
  595: 'Connection refused',
  596: 'Connection timed out',
  599: 'Too many redirections',
};

const isKind = (kind: string): kind is Effect['kind'] => Object.hasOwn(EFFECTS, kind);

function readEffect(json: unknown, at: string): Effect {
  const fields = new Fields(json, at);
  const kind = fields.text('kind');
  if (!isKind(kind)) return refuse(fields.place('kind'), kind, `one of ${Object.keys(EFFECTS).join(', ')}`);
  const effect = EFFECTS[kind](fields, at);
  fields.end();
  return effect;
}

function work(fields: Fields): Work {
  return fields.has('work') && fields.oneOf('work', ['done', 'not-done']) === 'done' ? 'done' : 'not-done';
}
