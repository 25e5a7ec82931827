import { destroyMachine } from '../../../reconciler/apply/destroy/destroy';
import { desired, errorsOf, lab, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

let cluster: Lab;
beforeEach(async () => (cluster = await lab({ taskMs: 1_500 })));
afterEach(() => cluster.close());

test('where nobody tells how its tasks end, a guest is deleted once', async () => {
  expect(errorsOf(await cluster.run(desired([blankMachine])))).toEqual([]);
  const effect = { kind: 'answer', status: 404, text: 'no such page' } as const;
  cluster.simulator.faults.add({ methods: ['GET'], path: '/nodes/*/tasks/*/status', effect });
  // it reads the tasks of all nodes before the DELETE, and not again
  const destroy = () =>
    cluster.withRun(run => destroyMachine(run, { owner: 'team/lab', ids: [blankMachine.id] }));
  expect(await destroy()).toBe('destroyed');
  const sent = cluster.simulator.ledger.entries().map(({ method }) => method);
  expect(sent.filter(method => method === 'DELETE')).toEqual(['DELETE']);
});
