import { setTimeout as sleep } from 'node:timers/promises';
import { guestLock } from '../../../simulator/cluster/lock-files';
import { ask } from '../../support/cluster/ask';
import { marked } from '../../support/cluster/end-state';
import { lab } from '../../support/cluster/lab';

const web = { id: 'web', image: { template: 'ubuntu-22.04' }, power: 'stopped' };

it('does not wait for the end of a clone that somebody else makes', async () => {
  const cluster = await lab();
  // a KiB a second: it does not end while this test runs
  const form = { newid: '5000', name: 'theirs', full: '1', bwlimit: '1' };
  await ask(cluster.simulator, 'POST', '/nodes/pve1/qemu/9000/clone', { form });
  while (cluster.world.guests[5000]?.config['name'] === undefined) await sleep(2);
  expect(await cluster.bring(web)).toEqual([]);
  expect(cluster.world.guests[5000]?.config['lock']).toBe('clone');
  expect(marked(cluster.world, 'web')).toHaveLength(1);
  await cluster.close();
});

it('waits for the lock file of the template, and keeps the id that it chose', async () => {
  const cluster = await lab({ timeScale: 10 });
  const { flocks, tasks } = cluster.simulator.sim;
  let free = (): void => undefined;
  const hold = () => new Promise<void>(done => (free = done));
  const held = flocks.hold(guestLock('pve1', 9000), Number.MAX_SAFE_INTEGER, hold);
  const made = cluster.bring(web);
  const hasFailed = () => tasks.all().some(({ exitstatus = 'OK' }) => exitstatus !== 'OK');
  while (!hasFailed()) await sleep(5);
  free();
  await held;
  expect(await made).toEqual([]);
  expect(marked(cluster.world, 'web')).toMatchObject([{ vmid: 10_000 }]);
  await cluster.close();
});
