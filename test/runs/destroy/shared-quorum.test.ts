import { destroyMachine } from '../../../reconciler/apply/destroy/destroy';
import { Run } from '../../../reconciler/run/run';
import { Shared } from '../../../reconciler/run/shared';
import { connect, type Pve } from '../../../reconciler/pve';
import { applyEvent } from '../../../simulator/events/apply';
import { foreignWrites } from '../../support/cluster/end-state';
import { HeldRequests } from '../../support/cluster/held-requests';
import type { Lab } from '../../support/cluster/lab';
import { desired, errorsOf, lab } from '../../support/cluster/lab';
import { labConnection } from '../../support/cluster/lab-connection';
import { blankMachine } from '../../support/runs/blank-machine';

const QUORUM = 'GET /cluster/status';

let cluster: Lab;
let held: HeldRequests;
let pve: Pve;
let shared: Shared;
beforeEach(async () => {
  held = new HeldRequests();
  cluster = await lab({ before: held.before });
  pve = connect(labConnection(cluster.simulator, 'token'));
  shared = new Shared(pve, desired([]).cluster);
});
afterEach(async () => {
  await pve.close();
  await cluster.close();
});

/** Makes machines that run, with the ids from 10000 on. */
async function have(...ids: string[]): Promise<void> {
  const machines = ids.map((id, index) => ({ ...blankMachine, id, vmid: 10_000 + index, power: 'running' }));
  expect(errorsOf(await cluster.run(desired(machines)))).toEqual([]);
  cluster.simulator.ledger.reset();
}

/** A run of one machine, beside others of the same process. */
function runOf(signal = new AbortController().signal): Run {
  return new Run(shared, { report: event => void cluster.events.push(event), signal });
}

const destroy = (id: string, run = runOf()) => destroyMachine(run, { owner: 'team/lab', ids: [id] });
const lines = (): string[] =>
  cluster.simulator.ledger.entries().map(({ method, path }) => `${method} ${path}`);
const writesTo = (vmid: number): string[] =>
  lines().filter(line => !line.startsWith('GET') && line.includes(`/qemu/${vmid}`));
const happens = (quorate: boolean): void => applyEvent(cluster.simulator.sim, { kind: 'quorum', quorate });

/** Looks until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

it('asks once for many that ask together, and for each again after it has stopped', async () => {
  const ids = Array.from({ length: 8 }, (_, index) => `m${index}`);
  await have(...ids);
  expect(await Promise.all(ids.map(id => destroy(id)))).toEqual(ids.map(() => 'destroyed'));
  const calls = lines();
  expect(calls.filter(line => line === QUORUM).length).toBeLessThanOrEqual(1 + ids.length);
  ids.forEach((_, index) => {
    const vmid = 10_000 + index;
    const hasStopped = calls.findLastIndex(line => line.includes(`:qmstop:${vmid}:`));
    const last = calls.lastIndexOf(`GET /nodes/pve1/qemu/${vmid}/pending`);
    const asked = calls.lastIndexOf(QUORUM, last);
    expect([hasStopped < asked, calls.indexOf(`DELETE /nodes/pve1/qemu/${vmid}`) > last]).toEqual([
      true,
      true,
    ]);
  });
});

it('gives who asks while an answer is awaited a later one, which sees that the quorum is lost since', async () => {
  await have('a', 'b');
  const [first, beforeDelete] = [held.next(QUORUM), held.next(QUORUM)];
  const a = destroy('a');
  first.release();
  await beforeDelete.met;
  const later = held.next(QUORUM);
  const b = destroy('b');
  await until(() => lines().filter(line => line === 'GET /access/permissions').length > 0);
  beforeDelete.release();
  expect(await a).toBe('destroyed');
  await later.met;
  happens(false);
  later.release();
  await until(() => cluster.events.some(event => event.kind === 'progress' && /quorum/.test(event.text)));
  expect(writesTo(10_001)).toEqual([]);
  happens(true);
  expect(await b).toBe('destroyed');
  expect(foreignWrites(cluster)).toEqual([]);
});

it('ends the wait of a run that is interrupted, and no other', async () => {
  const interrupted = new AbortController();
  const question = held.next(QUORUM);
  const [one, other] = [runOf(interrupted.signal).needQuorumNow(), runOf().needQuorumNow()];
  await question.met;
  interrupted.abort(new Error('interrupted'));
  await expect(one).rejects.toThrow('interrupted');
  question.release();
  await other;
  expect(lines()).toEqual([QUORUM]);
});

it.each([
  ['for a moment', 2],
  ['for longer than a request is repeated', 8],
])('destroys all whose shared answer is lost %s', async (_, count) => {
  await have('a', 'b', 'c');
  const lost = { kind: 'reset', work: 'done' } as const;
  cluster.simulator.faults.add({ path: '/cluster/status', after: 1, count, effect: lost });
  const ends = await Promise.all(['a', 'b', 'c'].map(id => destroy(id)));
  expect(ends).toEqual(['destroyed', 'destroyed', 'destroyed']);
  expect(Object.keys(cluster.world.guests).filter(id => Number(id) >= 10_000)).toEqual([]);
  expect(foreignWrites(cluster)).toEqual([]);
});

it('calls nothing gone without a quorum: a node that is cut off knows the cluster as it was before', async () => {
  await have('web');
  const { guests } = cluster.world;
  const { 10_000: web } = guests;
  delete guests[10_000];
  happens(false);
  const work = destroy('web').catch(String);
  const told = (): boolean =>
    cluster.events.some(event => event.kind === 'progress' && event.text.includes('quorum'));
  let isDone = false;
  void work.then(() => (isDone = true));
  await until(() => isDone || told());
  expect(isDone).toBe(false);
  guests[10_000] = web!;
  happens(true);
  expect(await work).toBe('destroyed');
});
