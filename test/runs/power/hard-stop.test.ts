import { marked } from '../../support/cluster/end-state';
import { desired, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';

const web = { id: 'web', node: 'pve1', image: { blank: true }, shutdownTimeout: '2s' };
const off = { ...web, power: 'stopped' };
const HARD = 'has not shut down in 1 s: in 1 s Proxmox stops it hard.';

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab();
  expect(errorsOf(await cluster.run(desired([web])))).toEqual([]);
});
afterEach(() => cluster.close());

const obeys = (obeysShutdown: boolean): void => {
  const [guest] = marked(cluster.world, 'web');
  if (guest) guest.system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown };
};
const stop = async (machine: Json) => {
  const errors = errorsOf(await cluster.run(desired([machine])));
  const said = cluster.events.flatMap(event => (event.kind === 'progress' ? event.text : []));
  return { errors, said: said.filter(text => text.startsWith('has not shut down')) };
};

test('a guest that does not shut down is stopped hard, and that is announced before', async () => {
  obeys(false);
  const { errors, said } = await stop(off);
  expect(errors).toEqual([]);
  expect(said).toEqual([expect.stringContaining(HARD)]);
  expect(marked(cluster.world, 'web')[0]?.running).toBeNull();
});

test('one that shuts down is not', async () => {
  obeys(true);
  expect(await stop(off)).toEqual({ errors: [], said: [] });
});

test('nor one that must not be stopped hard: it stays on, and that is an error', async () => {
  obeys(false);
  const { errors, said } = await stop({ ...off, forceStop: false });
  expect({ count: errors.length, said }).toEqual({ count: 1, said: [] });
  expect(marked(cluster.world, 'web')[0]?.running).not.toBeNull();
});
