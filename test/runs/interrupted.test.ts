import type { Before } from '../../simulator/control/site';
import { InterruptedError } from '../../reconciler/errors';
import { writes } from '../support/cluster/end-state';
import { eachUntilDone } from '../support/in-parallel';
import type { Json } from '../support/cluster/lab';
import { preparing, scenarios } from '../support/runs/scenarios';

const WAYS = ['create by clone', 'change of everything', 'destroy'];

/** A machine that this run has stopped is started again, and what kept it from starting is put back. */
const SAFE_ENDS = /\/(?:status\/start|config)$/;

type Opening = Awaited<ReturnType<typeof preparing>>;

/** Interrupts a run before its request number `k` is looked at. The writes that came after that one. */
async function writesAfter(open: Opening, want: Json | undefined, k: number) {
  const controller = new AbortController();
  let seen = 0;
  let before = Infinity;
  let begun = Infinity;
  let cluster: Awaited<ReturnType<Opening>> | undefined;
  const started = (): number => cluster?.events.filter(({ kind }) => kind === 'started').length ?? 0;
  const interrupting: Before = ({ method }) => {
    seen += 1;
    if (!cluster || seen !== k + 1) return;
    // the request itself is on its way already
    before = writes(cluster.simulator).length + (method === 'GET' ? 0 : 1);
    begun = started();
    controller.abort(new InterruptedError(130));
  };
  cluster = await open({ before: interrupting, signal: controller.signal, taskMs: 5 });
  seen = 0;
  const errors = await cluster.bring(want);
  const late = writes(cluster.simulator).slice(before);
  await cluster.close();
  const told = Math.max(0, started() - begun);
  return { errors, late, told, isOver: !controller.signal.aborted };
}

test.each(WAYS)('an interrupt at request k of: %s; then nothing more is written, for every k', async way => {
  const { want } = scenarios[way]!;
  const open = await preparing(scenarios[way]!);
  await eachUntilDone(4, async k => {
    const { errors, late, told, isOver } = await writesAfter(open, want, k);
    const unsafe = late.filter(line => way !== 'change of everything' || !SAFE_ENDS.test(line));
    expect({ k, unsafe, told }).toEqual({ k, unsafe: [], told: 0 });
    // the last requests of a run only look at what has become of it
    if (!isOver && errors.length > 0) expect(errors.join()).toContain('interrupted');
    return isOver;
  });
});
