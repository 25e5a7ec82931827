import { backoffMs, isLasting, kindOf } from '../../../reconciler/daemon/backoff';
import { daemonSettings } from '../../../reconciler/daemon/daemon-settings';
import { InputError, RefusedError } from '../../../reconciler/errors';
import { PveError, type PveErrorKind } from '../../../reconciler/pve';

const failure = (kind: PveErrorKind): PveError =>
  new PveError(kind, { method: 'GET', path: '/version', text: 'no' });
const [SECOND, LONGEST] = [1_000, 300_000];

// the rows of the table "Reconciliation Backoff"
test.each([
  [1, 1],
  [2, 2],
  [3, 4],
  [4, 8],
  [5, 16],
  [9, 256],
  [10, 300],
  [10_000, 300],
])('after failure %i in a row it waits %i s', (failures, seconds) => {
  expect(backoffMs(failure('unreachable'), failures)).toBe(seconds * SECOND);
});

// the rows of the table "Error Classification"; ours has more kinds than it has rows
test.each<[row: string, error: Error, kind: string, isTriedSoon: boolean]>([
  ['Authentication, 401', failure('unauthenticated'), 'unauthenticated', false],
  ['Authorization, 403', failure('denied'), 'denied', false],
  // the requirements do not try it again; here a guest that went or moved is found by the next reading
  ['Resource Not Found, 404', failure('not-found'), 'not-found', true],
  ['Conflict, 409: Proxmox has no 409, but texts of 500', failure('already-exists'), 'already-exists', true],
  ['Conflict, 409: a lock', failure('locked'), 'locked', true],
  ['Conflict, 409: a digest', failure('changed'), 'changed', true],
  ['Server Error, 500', failure('failed'), 'failed', true],
  ['Network Error', failure('unreachable'), 'unreachable', true],
  ['a refusal, which has no row', new RefusedError([]), 'refused', false],
  ['a wrong document, which has no row', new InputError('wrong'), 'input', false],
])('%s: told as a kind, and tried again soon or after the longest pause', (_, error, kind, isTriedSoon) => {
  expect({ kind: kindOf(error), isLasting: isLasting(error), waits: backoffMs(error, 1) }).toEqual({
    kind,
    isLasting: !isTriedSoon,
    waits: isTriedSoon ? SECOND : LONGEST,
  });
});

// the rows of the table "Environment Variables" that the daemon has: their defaults, and another value
test.each([
  ['RECONCILE_INTERVAL', 'intervalMs', 30_000, '1m', 60_000],
  ['MAX_CONCURRENT_RECONCILES', 'concurrency', 5, '7', 7],
  [
    'METRICS_BIND_ADDRESS',
    'metrics',
    { host: undefined, port: 8080 },
    '127.0.0.1:9',
    { host: '127.0.0.1', port: 9 },
  ],
  ['HEALTH_PROBE_BIND_ADDRESS', 'probes', { host: undefined, port: 8081 }, '0', undefined],
] as const)('%s', (variable, setting, byDefault, given, then) => {
  expect(daemonSettings({})[setting]).toEqual(byDefault);
  expect(daemonSettings({ [variable]: given })[setting]).toEqual(then);
});
