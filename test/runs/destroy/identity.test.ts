import { randomUUID } from 'node:crypto';
import type { Simulator } from '../../../simulator';
import type { Before } from '../../../simulator/control/site';
import type { Administrator } from '../../support/cluster/administrator';
import { administratorOf } from '../../support/cluster/administrator';
import { writes } from '../../support/cluster/end-state';
import type { Lab } from '../../support/cluster/lab';
import { ADMINISTRATOR } from '../../support/cluster/start-cluster';
import { preparing } from '../../support/runs/scenarios';

const AT = '/nodes/pve1/qemu/10000';
const KEPT = { delete: 'tags', description: 'KEEP', name: 'customer-db' };
const web = {
  id: 'web',
  image: { template: 'ubuntu-22.04' },
  rebuildOn: ['image'],
  shutdownTimeout: '8s',
  networks: [{ name: 'lan' }],
};
const anew = { ...web, image: { template: 'debian-12' } };

/** What somebody else does while our stop is at work. What he writes then waits for its lock. */
type Act = (admin: Administrator, cluster: Lab) => Promise<unknown>;

let cluster: Lab;
afterEach(() => cluster.close());

/** `afterMs`: how long after our stop was sent. */
async function open(act: Act, afterMs: number): Promise<void> {
  const prepared = await preparing({ have: web, want: undefined });
  let hasActed = false;
  const before: Before = ({ method, path, user }) => {
    if (hasActed || user === ADMINISTRATOR.id || method !== 'POST' || !path.startsWith(`${AT}/status/`))
      return;
    hasActed = true;
    // not waited for: it goes on beside what we do
    void cluster.simulator.sim.clock.sleep(afterMs).then(() => act(administratorOf(cluster), cluster));
  };
  cluster = await prepared({ taskMs: 1_500, timeScale: 10, before });
  // it does not hear that it is to shut down
  cluster.world.guests[10_000]!.system = { kind: 'linux', bootMs: 0, agent: false, obeysShutdown: false };
}

const deletes = ({ simulator }: { simulator: Simulator }): string[] =>
  writes(simulator).filter(line => line === `DELETE ${AT}`);
const edit: Act = admin => admin('PUT', `${AT}/config`, KEPT);

test('a rebuild leaves a guest alone that stopped being ours while it was shut down', async () => {
  await open(edit, 5_000);
  const errors = await cluster.bring(anew);
  expect(cluster.world.guests[10_000]?.config).toMatchObject({ name: 'customer-db', description: 'KEEP' });
  expect(deletes(cluster)).toEqual([]);
  expect(errors).toEqual([]);
  const told = cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
  expect(told.join()).toContain('guest 10000 on pve1 is not ours any more');
});

test('a destroy leaves a guest alone that stopped being ours while it was stopped', async () => {
  await open(edit, 100);
  expect(await cluster.bring(undefined)).toEqual([]);
  expect(cluster.world.guests[10_000]?.config).toMatchObject({ name: 'customer-db', description: 'KEEP' });
  expect(deletes(cluster)).toEqual([]);
});

test('a guest with the id of ours, which somebody deleted while it was stopped, stays', async () => {
  await open((_, { world }) => {
    world.guests[10_000]!.config = { name: 'customer-db', smbios1: `uuid=${randomUUID()}` };
    return Promise.resolve();
  }, 100);
  expect(await cluster.bring(undefined)).toEqual([]);
  expect(cluster.world.guests[10_000]?.config).toMatchObject({ name: 'customer-db' });
  expect(deletes(cluster)).toEqual([]);
});

test.each(['rebuild', 'destroy'])('a %s deletes nothing while there is no quorum', async verb => {
  let heldAt = 0;
  await open(async (_, { world, simulator }) => {
    world.cluster!.quorate = false;
    await simulator.sim.clock.sleep(20_000);
    heldAt = deletes(cluster).length;
    world.cluster!.quorate = true;
  }, 10);
  expect(await cluster.bring(verb === 'rebuild' ? anew : undefined)).toEqual([]);
  expect({ heldAt, after: deletes(cluster).length }).toEqual({ heldAt: 0, after: 1 });
});
