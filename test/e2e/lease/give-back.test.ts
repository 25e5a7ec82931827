import { balance, doubled, keptBy, sharedLab, until, type SharedLab } from '../../support/lease/hosts';
import { noPostgres, startPostgres, type Postgres } from '../../support/lease/postgres';
import { skipped } from '../../support/skipped';

const why = noPostgres();
if (why !== undefined) skipped('a host gives clusters to another one', why);
else {
  let postgres: Postgres;
  let lab: SharedLab;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterEach(() => lab?.close());
  afterAll(() => postgres?.close());

  const web = (n: number) => ({ id: `web${n}`, image: { blank: true }, node: 'pve1' });

  test('what is under way ends first; the other host goes on with the rest, and nothing is made twice', async () => {
    const machines = () => Array.from({ length: 8 }, (_, index) => web(index));
    lab = await sharedLab(postgres.port, {
      clusters: 2,
      machines,
      options: { taskMs: 1_500 },
      environment: { MAX_CONCURRENT_RECONCILES: '2' },
    });
    const first = await lab.addHost();
    await until(
      () => lab.clusters.every(({ simulator }) => simulator.ledger.entries().some(({ write }) => write)),
      'it does not begin',
    );
    const second = await lab.addHost();
    await until(async () => String(await balance(lab.hosts)) === '1,1', 'nothing is given back', 90);
    const [name] = await keptBy(second);
    const given = lab.clusters.find(each => each.name === name)!;
    const guests = () =>
      Object.values(given.simulator.world.guests).filter(({ config }) =>
        String(config['name']).startsWith('web'),
      );
    const isMade = (): boolean => guests().filter(({ running }) => running !== null).length === 8;
    await until(isMade, 'the rest is not made');
    const ofIt = first.lines().filter(({ cluster }) => cluster === name);
    const gone = ofIt.findIndex(({ message }) => message === 'Gives the cluster to another host');
    // each machine that it began, it brought to its end
    const began = new Set(ofIt.slice(0, gone).flatMap(({ machine }) => machine ?? []));
    const made = ofIt.slice(0, gone).filter(({ message }) => message === 'Successfully created VM');
    expect(began.size).toBeGreaterThan(0);
    expect(made.length).toBe(began.size);
    expect(began.size).toBeLessThan(8);
    expect(ofIt.slice(gone + 1).map(({ message }) => message)).toEqual(['Stands by']);
    expect(ofIt.filter(({ level }) => level === 'error')).toEqual([]);
    expect(guests().length).toBe(8);
    expect(lab.clusters.flatMap(doubled)).toEqual([]);
  });

  test('a cluster that only one host names stays with it', async () => {
    lab = await sharedLab(postgres.port, { clusters: 3, machines: () => [web(1)] });
    const first = await lab.addHost();
    await lab.addHost(['c3']);
    await until(async () => String(await balance(lab.hosts)) === '2,1', 'c3 is not given back');
    expect((await keptBy(first)).sort()).toEqual(['c1', 'c2']);
    const begun = lab.clusters.map(({ held }) => held.length);
    await new Promise(resolve => setTimeout(resolve, 8_000));
    expect(lab.clusters.map(({ held }) => held.length)).toEqual(begun);
    expect(await balance(lab.hosts)).toEqual([2, 1]);
  });
}
