import type { Before } from '../../simulator/control/site';
import { InterruptedError } from '../../reconciler/errors';
import { writes } from '../support/cluster/end-state';
import { eachUntilDone } from '../support/in-parallel';
import type { Scenario } from '../support/runs/scenarios';
import { preparing, scenarios } from '../support/runs/scenarios';

const WAYS = ['create by clone', 'change of everything', 'destroy'];

/** A machine that this run has stopped is started again, and what kept it from starting is put back. */
const SAFE_ENDS = /\/(?:status\/start|config)$/;

/** Interrupts a run before its request number `k` is looked at. The writes that came after that one. */
async function writesAfter(scenario: Scenario, k: number) {
  const controller = new AbortController();
  let seen = 0;
  let before = Infinity;
  let cluster: Awaited<ReturnType<Awaited<ReturnType<typeof preparing>>>> | undefined;
  const interrupting: Before = ({ method }) => {
    seen += 1;
    if (!cluster || seen !== k + 1) return;
    // the request itself is on its way already
    before = writes(cluster.simulator).length + (method === 'GET' ? 0 : 1);
    controller.abort(new InterruptedError(130));
  };
  cluster = await (await preparing(scenario))({ before: interrupting, signal: controller.signal, taskMs: 5 });
  seen = 0;
  const errors = await cluster.bring(scenario.want);
  const late = writes(cluster.simulator).slice(before);
  await cluster.close();
  return { errors, late, isOver: !controller.signal.aborted };
}

test.each(WAYS)('an interrupt at request k of: %s; then nothing more is written, for every k', async way => {
  const scenario = scenarios[way]!;
  await eachUntilDone(1, async k => {
    const { errors, late, isOver } = await writesAfter(scenario, k);
    const unsafe = late.filter(line => way !== 'change of everything' || !SAFE_ENDS.test(line));
    expect({ k, unsafe }).toEqual({ k, unsafe: [] });
    // the last requests of a run only look at what has become of it
    if (!isOver && errors.length > 0) expect(errors.join()).toContain('interrupted');
    return isOver;
  });
});
