import { configText, Fields, oneOrMany, refuse } from '../world-file/fields';
import type { Administrator, Deed } from './administrator';

const SOONEST_MS = 100;

/** Understands administrators from JSON: one, or a list. Fails with the place and what belongs there. */
export function readAdministrators(json: unknown): Administrator[] {
  return oneOrMany(json, 'administrator', readAdministrator);
}

function readAdministrator(json: unknown, at: string): Administrator {
  const fields = new Fields(json, at);
  const administrator: Administrator = {
    user: fields.text('user'),
    everyMs: fields.count('everyMs'),
    does: fields.list('does', readDeed),
  };
  if (administrator.everyMs < SOONEST_MS)
    refuse(fields.place('everyMs'), administrator.everyMs, `${SOONEST_MS} or more`);
  if (administrator.does.length === 0) refuse(fields.place('does'), [], 'at least one request');
  if (fields.has('guests')) administrator.guests = fields.list('guests', readId);
  if (fields.has('count')) administrator.count = fields.count('count');
  fields.end();
  return administrator;
}

function readDeed(json: unknown, at: string): Deed {
  const fields = new Fields(json, at);
  const deed: Deed = {
    method: fields.oneOf('method', ['GET', 'POST', 'PUT', 'DELETE']),
    path: fields.text('path'),
    params: fields.map('params', configText),
  };
  if (!deed.path.startsWith('/')) refuse(fields.place('path'), deed.path, 'a path that starts with /');
  fields.end();
  return deed;
}

function readId(value: unknown, at: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  return refuse(at, value, 'the id of a guest');
}
