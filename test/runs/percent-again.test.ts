import { actionContext } from '../../reconciler/life/action-context';
import { MachineRun } from '../../reconciler/life/machine-run';
import { InProgress } from '../../reconciler/report/in-progress';
import { wantedOf } from '../../reconciler/run/wanted';
import { desired, lab } from '../support/cluster/lab';

test('a second attempt at an action begins with nothing done, and the live line says no percent until some is told', async () => {
  const { withRun, events, close } = await lab();
  const state = desired([{ id: 'web', image: { blank: true } }]);
  await withRun(run => {
    const machine = new MachineRun(run, wantedOf(state, state.machines[0]!, {}));
    const attempt = (percent?: number): void => {
      machine.reporting.started({ kind: 'power', to: 'running' }, undefined);
      if (percent !== undefined) tell(percent);
    };
    Object.assign(run, { tellsPercent: true });
    const tell = (percent: number): void => actionContext(machine, undefined).wait.percent?.(percent);
    attempt(40);
    attempt();
    attempt();
    return Promise.resolve();
  });
  const live = new InProgress();
  events.forEach(event => live.note(event, 0));
  expect(live.lines(0)).toEqual(['web: starting (0.0 s)']);
  expect(events.flatMap(event => (event.kind === 'percent' ? event.percent : []))).toEqual([40, 0]);
  await close();
});
