import { InterruptedError } from '../../../reconciler/errors';
import { connect } from '../../../reconciler/pve';
import { waitForTask } from '../../../reconciler/pve/api/task';
import { waitUntil } from '../../../reconciler/pve/api/wait-until';
import { eager, patient, pauseAfter } from '../../../reconciler/pve/http/pauses';
import type { Pauses } from '../../../reconciler/pve/http/pauses';
import { answerData, answeringServer } from '../../support/api/answering-server';
import { pveConfig } from '../../support/reconciler/pve-config';

const poll = { floorMs: 50, ceilingMs: 2_000 };

/** How often it looks within so much waiting. */
function looksIn(waitMs: number, pauses: Pauses, random: () => number): number {
  let looks = 1;
  for (let elapsed = 0; elapsed < waitMs; elapsed += pauseAfter(elapsed, pauses, random)) looks += 1;
  return looks;
}

test.each([
  ['a task of ours that takes 500 ms', 500, eager(poll), 0.5, 11],
  ['a lock that stays for five minutes', 300_000, patient(poll), 0.5, 40],
  ['the same, with the shortest pauses that chance gives', 300_000, patient(poll), 0, 53],
])('%s is looked at no more often than it should be', (_, waitMs, pauses, chance, most) => {
  expect(looksIn(waitMs, pauses, () => chance)).toBeLessThanOrEqual(most);
});

/** When a task of ours is looked at that ends after so long: the last of these sees its end. */
function looksAt(takesMs: number): number[] {
  const looks = [poll.floorMs];
  for (let at = poll.floorMs; at < takesMs; looks.push(at))
    at += pauseAfter(at - poll.floorMs, eager(poll), () => 0);
  return looks;
}

test('the end of a task is seen by few looks, and soon', () => {
  expect(looksAt(500)).toHaveLength(5);
  const durations = Array.from({ length: 1_400 }, (_, index) => index * 10);
  const late = durations.filter(ms => (looksAt(ms).at(-1) ?? 0) - ms > Math.max(150, 0.15 * ms));
  expect(late).toEqual([]);
});

const never = (): Promise<undefined> => Promise.resolve(undefined);
const pauses = eager({ floorMs: 1, ceilingMs: 1 });

test('looks a last time when the time is up, then gives nothing', async () => {
  const seen = [undefined, undefined, 'there'];
  const wait = { pauses: { ...pauses, floorMs: 60_000, ceilingMs: 60_000 }, until: performance.now() + 5 };
  expect(await waitUntil(never, wait)).toBeUndefined();
  expect(await waitUntil(() => Promise.resolve(seen.shift()), { pauses, until: Infinity })).toBe('there');
});

test('an interrupt ends a pause at once, with its own error', async () => {
  const stop = new AbortController();
  const long = { ...pauses, floorMs: 60_000, ceilingMs: 60_000 };
  const pausing = (): void => stop.abort(new InterruptedError(130));
  const wait = { pauses: long, until: Infinity, signal: stop.signal, pausing };
  await expect(waitUntil(never, wait)).rejects.toBeInstanceOf(InterruptedError);
});

test('an interrupt ends the wait for a task with its own error', async () => {
  const upid = 'UPID:pve2:0001A2B3:123456789:65A0B1C2:qmclone:9000:tester@pve!t1:';
  const stop = new AbortController();
  const server = await answeringServer((_, response) => {
    answerData(response, { status: 'running' });
    setTimeout(() => stop.abort(new InterruptedError(143)), 5);
  });
  const pve = connect(pveConfig(server.url, { poll: { floorMs: 5, ceilingMs: 60_000 } }));
  const wait = { timeoutMs: 60_000, signal: stop.signal };
  await expect(waitForTask(pve, upid, wait)).rejects.toBeInstanceOf(InterruptedError);
  await pve.close();
  await server.close();
});
