import type { Fault } from '../../../simulator/faults/fault';
import { foreignWrites } from '../cluster/end-state';
import { eachUntilDone } from '../in-parallel';
import type { PlaceOfRuns } from '../runs/place-of-runs';
import type { Scenario } from '../runs/scenarios';

/** What happens to one request, or to so many of them. */
type Met = Pick<Fault, 'effect' | 'methods' | 'count'>;

/** The cluster answers nothing for a while. */
export const outages: Record<string, Met> = {
  'the API is overloaded for a while': {
    effect: { kind: 'answer', status: 503, text: 'Service Unavailable' },
    count: 15,
  },
  'no node is reached for a while': {
    effect: { kind: 'gateway', status: 595, text: 'No route to host', work: 'not-done' },
    count: 15,
  },
};

/** Loses request 0, 1, 2 and so on of a run, or its answer: the next run ends as one ends that lost nothing. */
export async function endsAlikeWhenLost(
  scenario: Scenario,
  fault: Met,
  { prepare, endOf, stride = 1, inParallel = 2 }: PlaceOfRuns,
): Promise<void> {
  const open = await prepare(scenario);
  const quiet = await open();
  expect(await quiet.bring(scenario.want)).toEqual([]);
  const wanted = endOf(quiet.simulator);
  await quiet.close();
  await eachUntilDone(inParallel, async step => {
    const k = stride * step;
    const cluster = await open();
    cluster.simulator.faults.add({ path: '/**', after: k, count: 1, ...fault });
    await cluster.bring(scenario.want);
    const met = cluster.simulator.faults.list()[0]!.hits;
    cluster.simulator.faults.clear();
    expect([k, await cluster.bring(scenario.want)]).toEqual([k, []]);
    expect({ k, end: endOf(cluster.simulator) }).toEqual({ k, end: wanted });
    expect(foreignWrites(cluster)).toEqual([]);
    await cluster.close();
    return met === 0;
  });
}
