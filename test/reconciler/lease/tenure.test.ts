import { InterruptedError } from '../../../reconciler/errors';
import type { Lease } from '../../../reconciler/lease/lease';
import { now, Tenure } from '../../../reconciler/lease/tenure';

const TIMES = { renewMs: 20, goodMs: 100, freeMs: 150 };

/** A lease whose renewals come to this. */
function leaseThat(renew: Lease['renew']): Lease {
  const nothing = (): Promise<undefined> => Promise.resolve(undefined);
  return { title: 'the lease', times: TIMES, take: nothing, renew, release: nothing };
}

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

test('while each renewal is answered, it is held', async () => {
  let renewals = 0;
  const renew = (): Promise<boolean> => {
    renewals += 1;
    return Promise.resolve(true);
  };
  const tenure = new Tenure(leaseThat(renew), now());
  const kept = tenure.keep(renew);
  await wait(3 * TIMES.goodMs);
  expect(tenure.check).not.toThrow();
  tenure.end();
  await kept;
  expect(renewals).toBeGreaterThan(2);
  expect(tenure.signal.aborted).toBe(false);
});

test.each<[string, Lease['renew'], string]>([
  ['is another’s', () => Promise.resolve(false), 'the lease is lost: another host may hold it.'],
  [
    'cannot be renewed',
    () => Promise.reject(new Error('no answer')),
    'the lease is lost: no renewal was answered in time.',
  ],
])('a lease that %s: all that listens ends, and nothing is written', async (_, renew, says) => {
  const tenure = new Tenure(leaseThat(renew), now());
  await tenure.keep(renew);
  expect(tenure.signal.reason).toBeInstanceOf(InterruptedError);
  expect(String(tenure.signal.reason)).toContain(says);
  expect(tenure.check).toThrow(says);
});

test('a process that was stopped writes nothing when it wakes, though no timer has told it yet', () => {
  const tenure = new Tenure(
    leaseThat(() => Promise.resolve(true)),
    now(),
  );
  expect(tenure.check).not.toThrow();
  // nothing else runs in the process meanwhile
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TIMES.goodMs + 5);
  expect(tenure.check).toThrow('no renewal was answered in time');
  expect(tenure.signal.aborted).toBe(true);
});

test('a host that slept knows it by the clock on the wall', () => {
  const { steadyMs, wallMs } = now();
  const tenure = new Tenure(
    leaseThat(() => Promise.resolve(true)),
    { steadyMs, wallMs: wallMs - TIMES.goodMs },
  );
  expect(tenure.check).toThrow('no renewal was answered in time');
});
