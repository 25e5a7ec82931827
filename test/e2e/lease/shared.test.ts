import {
  balance,
  doubled,
  get,
  keptBy,
  sharedLab,
  until,
  type Host,
  type SharedLab,
} from '../../support/lease/hosts';
import { noPostgres, startPostgres, type Postgres } from '../../support/lease/postgres';
import { skipped } from '../../support/skipped';

const LOSSES: Record<string, { lose: (host: Host) => void; back: (host: Host) => void }> = {
  killed: { lose: ({ running }) => void running.child.kill('SIGKILL'), back: host => host.begin() },
  stopped: {
    lose: ({ running }) => void running.child.kill('SIGSTOP'),
    back: ({ running }) => void running.child.kill('SIGCONT'),
  },
  'cut off': { lose: ({ cable }) => cable.cut(), back: ({ cable }) => cable.mend() },
};

const why = noPostgres();
if (why !== undefined) skipped('several hosts share the clusters by PostgreSQL', why);
else {
  let postgres: Postgres;
  let lab: SharedLab;
  let tag = 0;
  const machines = () => [{ id: 'web', image: { blank: true }, node: 'pve1', tags: [`t${tag}`] }];
  /** Asks for a change in each cluster. */
  const change = (): void => {
    tag += 1;
    for (const { name } of lab.clusters) lab.want(name, machines());
  };
  const has = ({ simulator }: SharedLab['clusters'][number]): boolean => {
    const guests = Object.values(simulator.world.guests).filter(({ config }) => config['name'] === 'web');
    return guests.length === 1 && String(guests[0]?.config['tags']).split(';').includes(`t${tag}`);
  };
  const isBalanced = async (wanted: string): Promise<boolean> =>
    String((await balance(lab.hosts)).sort()) === wanted;

  beforeAll(async () => {
    postgres = await startPostgres();
    lab = await sharedLab(postgres.port, { clusters: 3, machines });
    await lab.addHost();
    await lab.addHost();
  });
  afterAll(async () => {
    await lab?.close();
    await postgres?.close();
  });

  test('two hosts keep three clusters: two and one, and none changes hands after that', async () => {
    await until(() => isBalanced('1,2'), 'they do not share');
    await until(() => lab.clusters.every(has), 'not all machines are there');
    const begun = lab.clusters.map(({ held }) => held.length);
    const before = await Promise.all(lab.hosts.map(keptBy));
    await new Promise(resolve => setTimeout(resolve, 6_000));
    expect(await Promise.all(lab.hosts.map(keptBy))).toEqual(before);
    expect(lab.clusters.map(({ held }) => held.length)).toEqual(begun);
  });

  test('each host shows all clusters: its own, and who keeps the others', async () => {
    const [one] = lab.hosts as [Host];
    const ours = await keptBy(one);
    const { status, text } = await get(one, 'HEALTH_PROBE_BIND_ADDRESS', '/readyz');
    expect({ status, lines: text.trim().split('\n').length }).toEqual({
      status: 200,
      lines: 4 - ours.length,
    });
    expect(text).toMatch(/^ok\ncluster c\d: .+ \(127\.0\.0\.1\) keeps it, since 20/);
    const all = JSON.parse((await get(one, 'STATUS_BIND_ADDRESS', '/machines')).text) as {
      clusters: { name: string }[];
      machines: { cluster: string }[];
    };
    expect(all.clusters.map(({ name }) => name).sort()).toEqual(['c1', 'c2', 'c3']);
    expect(all.machines.map(({ cluster }) => cluster).sort()).toEqual(ours.sort());
    const numbers = (await get(one, 'METRICS_BIND_ADDRESS', '/metrics')).text;
    for (const { name } of lab.clusters)
      expect(numbers).toMatch(
        new RegExp(`^proxmox_operator_at_work\\{.*cluster="${name}"\\} ${ours.includes(name) ? 1 : 0}$`, 'm'),
      );
  });

  test('a third host comes: each keeps one', async () => {
    await lab.addHost();
    await until(() => isBalanced('1,1,1'), 'the third one gets nothing');
    change();
    await until(() => lab.clusters.every(has), 'not all machines are changed');
    expect(lab.clusters.flatMap(doubled)).toEqual([]);
  });

  test.each(Object.entries(LOSSES))(
    'a host is %s: its cluster is taken over, and no other one changes hands',
    async (_, loss) => {
      const [lost] = lab.hosts as [Host];
      const [name] = await keptBy(lost);
      const cluster = lab.clusters.find(each => each.name === name)!;
      const others = lab.clusters.filter(each => each !== cluster);
      const begun = others.map(({ held }) => held.length);
      const from = cluster.simulator.ledger.lastNumber();
      change();
      await until(
        () => cluster.simulator.ledger.entries().some(({ n, write }) => write && n > from),
        'it does not begin',
      );
      loss.lose(lost);
      const lostAt = cluster.simulator.ledger.lastNumber();
      await until(() => {
        // where nothing is left to write, nobody sees who works
        if (has(cluster)) {
          tag += 1;
          lab.want(cluster.name, machines());
        }
        const { ledger } = cluster.simulator;
        return ledger
          .entries()
          .some(({ n, write, user }) => write && n > lostAt && user !== `root@pam!${lost.name}`);
      }, 'no takeover');
      expect(others.map(({ held }) => held.length)).toEqual(begun);
      loss.back(lost);
      await until(() => isBalanced('1,1,1'), 'it gets nothing back');
      change();
      await until(() => lab.clusters.every(has), 'not all machines are changed');
      expect(lab.clusters.flatMap(doubled)).toEqual([]);
    },
  );
}
