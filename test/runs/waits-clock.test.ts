import { setTimeout as sleep } from 'node:timers/promises';
import { applyEvent } from '../../simulator/events/apply';
import type { Lab } from '../support/cluster/lab';
import { preparing } from '../support/runs/scenarios';
import { blankMachine as web } from '../support/runs/blank-machine';

const OURS = 10_000;
const HOUR_MS = 3_600_000;

let open: Awaited<ReturnType<typeof preparing>>;
let cluster: Lab;
beforeAll(async () => {
  open = await preparing({ have: web, want: undefined });
});
beforeEach(async () => {
  cluster = await open();
  locked('backup');
});
afterEach(async () => {
  jest.restoreAllMocks();
  await cluster.close();
});

const locked = (lock: string): void => applyEvent(cluster.simulator.sim, { kind: 'lock', vmid: OURS, lock });

/** Somebody sets the clock of this machine while a run waits. */
async function jumped(ms: number, apply: string, then: () => void): Promise<string[]> {
  const work = cluster.bring({ ...web, memory: '2Gi', timeouts: { apply } });
  await sleep(200);
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + ms);
  await sleep(100);
  then();
  return work;
}

test('a clock that jumps ahead ends no wait early', async () => {
  expect(await jumped(HOUR_MS, '15m', () => locked(''))).toEqual([]);
  expect(cluster.world.guests[OURS]!.config['memory']).toBe('2048');
});

test('a clock that jumps back makes no wait last', async () => {
  const errors = await jumped(-HOUR_MS, '1s', () => undefined);
  expect(errors).toEqual([expect.stringMatching(/timeouts\.apply allows 1s/)]);
}, 10_000);
