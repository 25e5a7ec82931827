import type { Fault } from '../../../simulator/faults/fault';
import { endState, foreignWrites } from '../cluster/end-state';
import { eachUntilDone } from '../in-parallel';
import { preparing, type Scenario } from './scenarios';

/** How a request, or its answer, is lost. */
export const losses: Record<string, Pick<Fault, 'effect' | 'methods'>> = {
  // nobody can tell a read that was lost from one whose answer was
  'the answer to a write is lost': {
    effect: { kind: 'reset', work: 'done' },
    methods: ['POST', 'PUT', 'DELETE'],
  },
  'the request is lost': { effect: { kind: 'reset', work: 'not-done' } },
  'the proxy gives up': {
    effect: { kind: 'gateway', status: 596, text: 'Connection timed out', work: 'done' },
  },
  'the node is away': {
    effect: { kind: 'gateway', status: 595, text: 'No route to host', work: 'not-done' },
  },
  'half of the answer is lost': { effect: { kind: 'half' } },
};

/** Loses request 0, 1, 2 and so on of a run, or its answer: the next run ends as one ends that lost nothing. */
export async function endsAlike(scenario: Scenario, fault: Pick<Fault, 'effect' | 'methods'>): Promise<void> {
  const open = await preparing(scenario);
  const quiet = await open();
  expect(await quiet.bring(scenario.want)).toEqual([]);
  const wanted = endState(quiet.simulator, 'web');
  await quiet.close();
  await eachUntilDone(8, async k => {
    const cluster = await open();
    cluster.simulator.faults.add({ path: '/**', after: k, count: 1, ...fault });
    await cluster.bring(scenario.want);
    const met = cluster.simulator.faults.list()[0]!.hits;
    expect([k, await cluster.bring(scenario.want)]).toEqual([k, []]);
    expect({ k, end: endState(cluster.simulator, 'web') }).toEqual({ k, end: wanted });
    expect(foreignWrites(cluster)).toEqual([]);
    await cluster.close();
    return met === 0;
  });
}
