import { balance, doubled, sharedLab, until, type SharedLab } from '../../support/lease/hosts';
import { noPostgres, startPostgres, type Postgres } from '../../support/lease/postgres';
import { run } from '../../support/processes/cli';
import { skipped } from '../../support/skipped';

const machine = (id: string) => ({ id, image: { blank: true }, node: 'pve1' });
const CLUSTERS = ['c1', 'c2'];

const why = noPostgres();
if (why !== undefined) skipped('two hosts of one desired state in PostgreSQL', why);
else {
  let postgres: Postgres;
  let lab: SharedLab;
  beforeAll(async () => {
    postgres = await startPostgres();
    const places = [postgres.url];
    lab = await sharedLab(postgres.port, { clusters: 2, machines: () => [], places, args: ['--prune'] });
  });
  afterAll(async () => {
    await lab?.close();
    await postgres?.close();
  });

  /** The same machines on each cluster. */
  const put = async (...ids: string[]): Promise<void> => {
    const documents = CLUSTERS.map(name => ({
      ...{
        version: 1,
        owner: `team/${name}`,
        cluster: { name, pollFloor: '20ms' },
        machines: ids.map(machine),
      },
    }));
    const text = documents.map(document => `---\n${JSON.stringify(document)}\n`).join('');
    const { code, stderr } = await run(['put', '-', '--yes', '--spec', postgres.url], {}, text);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  };
  const namesIn = (at: number): string =>
    Object.values(lab.clusters[at]?.simulator.world.guests ?? {})
      .map(({ config }) => String(config['name']))
      .filter(name => /^m\d$/.test(name))
      .sort()
      .join();
  const runs = (at: number, name: string): boolean =>
    Object.values(lab.clusters[at]?.simulator.world.guests ?? {}).some(
      ({ config, running }) => config['name'] === name && running !== null,
    );
  const all = (names: string): Promise<number> =>
    until(() => [0, 1].every(at => namesIn(at) === names), `not all clusters have ${names}`);

  test('what one puts is done on whichever host keeps the cluster, also when that host is lost in between', async () => {
    await put('m1', 'm2', 'm3');
    const [first, second] = [await lab.addHost(), await lab.addHost()];
    await until(async () => (await balance([first, second])).join() === '1,1', 'the clusters are not shared');
    await all('m1,m2,m3');

    await put('m1', 'm3');
    await all('m1,m3');

    // nobody has acted on it when the host that keeps a cluster is lost
    const lost = lab.clusters[0]?.held.at(-1)?.host === first.name ? first : second;
    const other = lost === first ? second : first;
    lost.running.child.kill('SIGSTOP');
    await put('m1', 'm4');
    lost.running.child.kill('SIGKILL');
    await until(async () => (await balance([other])).join() === '2', 'no takeover');
    // made and started: nothing is left to write
    await until(() => [0, 1].every(at => runs(at, 'm4')), 'the newest version is not done');
    const writes = lab.clusters[0]?.writes.length ?? 0;
    lost.begin();
    await until(
      async () => (await balance([first, second])).join() === '1,1',
      'the clusters are not shared again',
    );
    await new Promise(resolve => setTimeout(resolve, 2_000));
    // m3 left while nobody kept its cluster: it stays and is named, as with files; m2 is never made again
    expect([namesIn(0), namesIn(1)]).toEqual(['m1,m3,m4', 'm1,m4']);
    const orphans = other.lines().filter(({ message }) => message.startsWith('Orphan'));
    expect(orphans.map(line => line['machine'])).toContain('m3');
    expect(lab.clusters[0]?.writes.slice(writes)).toEqual([]);
    expect(lab.clusters.flatMap(doubled)).toEqual([]);
  }, 240_000);
}
