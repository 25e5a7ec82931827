import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Sim } from '../cluster/sim';

const LIFETIME_S = 7200;
/** PVE: a ticket may come from a clock that is this far ahead. */
const AHEAD_S = 300;

const seconds = (sim: Sim): number => Math.floor(sim.clock.now() / 1000);

const stamp = (time: number): string => time.toString(16).toUpperCase().padStart(8, '0');

function signature(sim: Sim, text: string): string {
  return createHmac('sha256', sim.secret).update(text).digest('base64');
}

function same(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function isFresh(sim: Sim, hexTime: string): boolean {
  const age = seconds(sim) - parseInt(hexTime, 16);
  return age > -AHEAD_S && age < LIFETIME_S;
}

/** A ticket that proves for two simulated hours who its bearer is. */
export function newTicket(sim: Sim, username: string): string {
  const plain = `PVE:${username}:${stamp(seconds(sim))}`;
  return `${plain}::${signature(sim, plain)}`;
}

/** The user that a valid ticket names; undefined for one that is forged, stale or no ticket. */
export function userOfTicket(sim: Sim, ticket: string): string | undefined {
  const match = /^(PVE:(\S+):([0-9A-F]{8}))::(\S+)$/.exec(ticket);
  if (!match) return undefined;
  const [, plain = '', user = '', time = '', signed = ''] = match;
  return isFresh(sim, time) && same(signed, signature(sim, plain)) ? user : undefined;
}

function csrfDigest(sim: Sim, username: string, time: string): string {
  return signature(sim, `csrf:${time}:${username}`).replace(/=+$/, '');
}

/** The token that every write with a ticket must carry. */
export function newCsrfToken(sim: Sim, username: string): string {
  const time = stamp(seconds(sim));
  return `${time}:${csrfDigest(sim, username, time)}`;
}

export function isCsrfToken(sim: Sim, username: string, token: string | undefined): boolean {
  const match = /^([0-9A-F]{8}):(\S+)$/.exec(token ?? '');
  if (!match) return false;
  const [, time = '', digest = ''] = match;
  return isFresh(sim, time) && same(digest, csrfDigest(sim, username, time));
}
