import { daemonLab, until, type DaemonLab } from '../../support/daemon/daemon-lab';

const web = { id: 'web', node: 'pve1', image: { blank: true }, memory: '1Gi' };

let lab: DaemonLab;
afterEach(() => lab.close());

test('a machine that leaves and comes back while it is made: nothing is read for it until that is done', async () => {
  lab = await daemonLab([web], { taskMs: 6_000 });
  const daemon = lab.start({}, { RECONCILE_INTERVAL: '1h' });
  await until(
    () => lab.writes().length,
    count => count > 0,
  );
  const isWanted = async (): Promise<boolean> => Object.keys(await daemon.machine('web')).length > 0;
  lab.want([]);
  await until(isWanted, is => !is);
  lab.want([{ ...web, tags: ['mended'] }]);
  await until(isWanted, is => is);
  await new Promise(resolve => setTimeout(resolve, 500));
  lab.simulator.ledger.reset();
  await new Promise(resolve => setTimeout(resolve, 3_500));
  const lists = lab.simulator.ledger.entries().filter(({ path }) => path === '/cluster/options');
  expect(lists.length).toBeLessThanOrEqual(1);
  await until(
    () => lab.guests('web')[0]?.config['tags'] ?? '',
    tags => tags.includes('mended'),
  );
});
