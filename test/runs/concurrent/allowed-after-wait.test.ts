import type { Event } from '../../../reconciler/event';
import { reconcileMachine } from '../../../reconciler/life/reconcile-machine';
import { connect } from '../../../reconciler/pve';
import { Run } from '../../../reconciler/run/run';
import { Shared } from '../../../reconciler/run/shared';
import { wantedOf } from '../../../reconciler/run/wanted';
import { desired, lab } from '../../support/cluster/lab';
import { labConnection } from '../../support/cluster/lab-connection';

const TASK_MS = 1_500;

test('what must hold before a creation is asked after the wait for a place, and then ends it', async () => {
  const cluster = await lab({ taskMs: TASK_MS });
  const pve = connect(labConnection(cluster.simulator, 'token'));
  const place = { node: 'pve1', image: { blank: true } };
  const state = desired(
    [
      { id: 'one', ...place },
      { id: 'two', ...place },
    ],
    { limits: { tasksPerNode: 1 } },
  );
  const told: Event[] = [];
  const report = (event: Event): void => void told.push(event);
  const has = (kind: Event['kind'], machine: string) => () =>
    told.some(event => event.kind === kind && event.machine === machine);
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise(resolve => setTimeout(resolve, 5));
  };
  const { signal } = new AbortController();
  const run = new Run(new Shared(pve, state.cluster), { report, signal });
  await run.read();
  const [one, two] = state.machines.map(spec => wantedOf(state, spec, {}));
  let begunAt = Infinity;
  // the creation of the first is in its way that long
  const allowed = (): Promise<void> =>
    Date.now() - begunAt < TASK_MS / 2 ? Promise.resolve() : Promise.reject(new Error('another Proxmox'));
  try {
    const first = reconcileMachine(run, one!);
    await until(has('started', 'one'));
    begunAt = Date.now();
    await expect(reconcileMachine(run, { ...two!, allowed })).rejects.toThrow('another Proxmox');
    await first;
    const names = Object.values(cluster.world.guests).map(({ config }) => config['name']);
    expect([names.includes('one'), names.includes('two')]).toEqual([true, false]);
  } finally {
    run.close();
    await pve.close();
    await cluster.close();
  }
});
