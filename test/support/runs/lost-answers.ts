import type { Fault } from '../../../simulator/faults/fault';
import { endState, foreignWrites } from '../cluster/end-state';
import { eachUntilDone } from '../in-parallel';
import { lab, type Lab } from '../cluster/lab';
import { openToRoot } from '../cluster/start-cluster';
import { turnsOf } from '../turns';
import { preparedWorld, type Scenario } from './scenarios';

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

/** Of each loss; jest plays five of them at once. */
const AT_ONCE = 2;

/** Of losses that any request can have: in the gate every second request of a run has one of them. */
const anyRequest = Object.keys(losses).filter(name => losses[name]?.methods === undefined);

/**
 * Loses request 0, 1, 2 and so on of a run, or its answer: the next run ends as one ends that lost nothing. In the gate
 * the losses of any request take turns at every second one: from request 0 on, or from 1 where the scenario's `row` is
 * odd. How many were lost.
 */
export async function endsAlike(scenario: Scenario, name: string, row: number): Promise<number> {
  const fault = losses[name]!;
  const world = await preparedWorld(scenario);
  const clusters: Lab[] = [];
  const free: Lab[] = [];
  const fresh = async (): Promise<Lab> => {
    const cluster = free.pop() ?? (await lab({ world: structuredClone(world), isOneConnection: true }));
    if (!clusters.includes(cluster)) clusters.push(cluster);
    cluster.simulator.reset(openToRoot(structuredClone(world)));
    return cluster;
  };
  try {
    const quiet = await fresh();
    expect(await quiet.bring(scenario.want)).toEqual([]);
    const wanted = endState(quiet.simulator, 'web');
    const turns = fault.methods
      ? undefined
      : turnsOf(2 * anyRequest.indexOf(name) + (row % 2), 2 * anyRequest.length);
    let lost = 0;
    const losing = async (k: number): Promise<boolean> => {
      const cluster = await fresh();
      cluster.simulator.faults.add({ path: '/**', after: k, count: 1, ...fault });
      await cluster.bring(scenario.want);
      const met = cluster.simulator.faults.list()[0]!.hits;
      expect([k, await cluster.bring(scenario.want)]).toEqual([k, []]);
      expect({ k, end: endState(cluster.simulator, 'web') }).toEqual({ k, end: wanted });
      expect(foreignWrites(cluster)).toEqual([]);
      free.push(cluster);
      lost += met;
      return met === 0;
    };
    await eachUntilDone(AT_ONCE, losing, turns);
    return lost;
  } finally {
    await Promise.all(clusters.map(cluster => cluster.close()));
  }
}
