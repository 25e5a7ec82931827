import { Fields, configText, refuse } from '../world-file/fields';
import type { NodeAction, WorldEvent } from './event';
import { NODE_ACTIONS } from './event';

const EVENTS: Record<WorldEvent['kind'], (fields: Fields) => WorldEvent> = {
  node: fields => ({ kind: 'node', action: action(fields), node: fields.text('node') }),
  quorum: fields => ({ kind: 'quorum', quorate: fields.flag('quorate') }),
  edit: fields => ({
    kind: 'edit',
    vmid: fields.count('vmid'),
    set: fields.has('set') ? fields.map('set', configText) : {},
    delete: fields.has('delete') ? fields.list('delete', configText) : [],
  }),
  move: fields => ({ kind: 'move', vmid: fields.count('vmid'), node: fields.text('node') }),
  lock: fields => ({ kind: 'lock', vmid: fields.count('vmid'), lock: fields.text('lock') }),
  flock: fields => ({ kind: 'flock', vmid: fields.count('vmid'), ms: fields.count('ms') }),
  'storage-full': fields => ({ kind: 'storage-full', storage: fields.text('storage') }),
};

const isKind = (kind: string): kind is WorldEvent['kind'] => Object.hasOwn(EVENTS, kind);

/** Understands an event from JSON. Fails with the place and what belongs there. */
export function readEvent(json: unknown, at: string): WorldEvent {
  const fields = new Fields(json, at);
  const kind = fields.text('kind');
  if (!isKind(kind)) return refuse(fields.place('kind'), kind, `one of ${Object.keys(EVENTS).join(', ')}`);
  const event = EVENTS[kind](fields);
  fields.end();
  return event;
}

function action(fields: Fields): NodeAction {
  const given = fields.text('action');
  const known = NODE_ACTIONS.find(each => each === given);
  return known ?? refuse(fields.place('action'), given, `one of ${NODE_ACTIONS.join(', ')}`);
}
