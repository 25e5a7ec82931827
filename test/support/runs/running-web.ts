import { desired, errorsOf, lab, type Json } from '../cluster/lab';

/** A machine that is restarted where a change needs it. */
const web: Json = {
  id: 'web',
  image: { blank: true },
  node: 'pve1',
  restart: 'whenNeeded',
  shutdownTimeout: '1s',
  disks: [{ name: 'root', size: '1Gi', storage: 'local-lvm' }],
};

/** A lab in which `web` was made, and runs with a system that hears its shutdown; `more`: what its spec says besides. */
export async function runningWeb(more: Json = {}) {
  const spec = { ...web, ...more };
  const cluster = await lab({ taskMs: 0, as: 'root' });
  const change = async (fields: Json = {}) => errorsOf(await cluster.run(desired([{ ...spec, ...fields }])));
  const guest = () => Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'web')!;
  expect(await change()).toEqual([]);
  guest().system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  cluster.simulator.ledger.reset();
  return { cluster, change, guest, spec };
}
