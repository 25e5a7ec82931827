import { Client } from 'pg';
import { lockNumbers } from '../../../reconciler/lease/seen-hosts';
import { numberOf } from '../../../reconciler/lease/postgres-session';
import { cableTo } from '../../support/lease/cable';
import { balance, get, keptBy, sharedLab, until, type Host, type SharedLab } from '../../support/lease/hosts';
import { noPostgres, startPostgres, type Postgres } from '../../support/lease/postgres';
import { run } from '../../support/processes/cli';
import { skipped } from '../../support/skipped';

interface Told {
  clusters: Record<string, unknown>[];
  hosts: { host: string; keeps: number; names: number; isLate: boolean }[];
  blindUser?: string;
}

/** A document of each cluster, as YAML. */
const desired = (clusters: string[], machines = 1): string =>
  clusters
    .map(name => {
      const ids = Array.from({ length: machines }, (_, n) => ({ id: `web-${n}`, image: { blank: true } }));
      const state = { version: 1, owner: `team/${name}`, cluster: { name }, machines: ids };
      return `---\n${JSON.stringify(state)}\n`;
    })
    .join('');

test.each<[words: string[], says: string]>([
  [['status', '--all', '--spec', '-'], 'status --all needs the lease that the hosts share'],
  [['status', '--lease', 'postgres://db/x', '--spec', '-'], 'mean something with --all only'],
  [['status', 'web', '--all', '--lease', 'postgres://db/x', '--spec', '-'], '--all is about clusters'],
  [['status', '--all', '--lease', 'kubernetes', '--spec', '-'], 'kubectl get lease pve-reconciler names it'],
  [['status', '--all', '--lease', 'db', '--spec', '-'], '--lease is neither'],
  [['status', '--all', '--lease', 'postgres://u:secret@db/x', '--spec', '-'], 'remove the password'],
  [['status', '--all', '--lease', 'postgres://db/x', '--lease-name', 'A b', '--spec', '-'], 'is no name'],
  [['status', '--all', '--lease', 'postgres://db/x'], 'no desired state is given'],
])('%j is refused', async (words, says) => {
  const { code, stdout, stderr } = await run(words, {}, desired(['c1']));
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(says) as string,
  });
  expect(stderr).not.toContain('secret');
});

const why = noPostgres();
if (why !== undefined) skipped('status --all', why);
else {
  let postgres: Postgres;
  const clients: Client[] = [];
  const status = (text: string, ...more: string[]) =>
    run(['status', '--all', '--spec', '-', '--lease', postgres.url, ...more], {}, text);
  const told = async (text: string, ...more: string[]): Promise<Told> => {
    const { code, stdout, stderr } = await status(text, '--json', ...more);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Told;
  };
  const connected = async (name: string): Promise<Client> => {
    const client = new Client({ connectionString: postgres.url, application_name: name });
    clients.push(client);
    await client.connect();
    return client;
  };

  beforeAll(async () => void (postgres = await startPostgres()));
  afterEach(async () => void (await Promise.all(clients.splice(0).map(client => client.end()))));
  afterAll(() => postgres?.close());

  describe('hosts that share three clusters', () => {
    let lab: SharedLab;
    const all = desired(['c1', 'c2', 'c3']);
    beforeAll(async () => {
      lab = await sharedLab(postgres.port, {
        clusters: 3,
        machines: () => [{ id: 'web', image: { blank: true }, node: 'pve1' }],
      });
      await lab.addHost(['c1', 'c2']);
      await lab.addHost(['c1', 'c2', 'c3']);
      await until(async () => {
        const [one = 0, other = 0] = await balance(lab.hosts);
        return one + other === 3 && one > 0 && other > 0;
      }, 'they do not share');
    });
    afterAll(() => lab?.close());

    test('it tells what the pages of the hosts tell, and changes nothing', async () => {
      const { clusters, hosts } = await told(all);
      expect(clusters).toMatchObject(['c1', 'c2', 'c3'].map(name => ({ name, isLate: false, machines: 1 })));
      const kept = await Promise.all(lab.hosts.map(keptBy));
      expect(hosts.map(({ keeps }) => keeps).sort()).toEqual(kept.map(({ length }) => length).sort());
      expect(hosts.map(({ names }) => names).sort()).toEqual([2, 3]);
      const [one] = lab.hosts as [Host];
      const page = JSON.parse((await get(one, 'STATUS_BIND_ADDRESS', '/machines')).text) as {
        clusters: { name: string; keptBy?: string }[];
      };
      for (const { name, keptBy: keeper } of page.clusters.filter(each => each.keptBy !== undefined))
        expect(clusters).toContainEqual(expect.objectContaining({ name, keptBy: keeper }));
      const { code, stdout } = await status(all);
      expect({ code, lines: stdout.trim().split('\n') }).toEqual({
        code: 0,
        lines: [
          expect.stringMatching(/^CLUSTER +MACHINES +STANDS +KEPT BY +HOST SINCE +LAST HEARD$/),
          ...['c1', 'c2', 'c3'].map((name): unknown =>
            expect.stringMatching(
              new RegExp(`^${name} +1 +kept +\\S.* \\(127\\.0\\.0\\.1\\) +20\\S+Z +20\\S+Z$`),
            ),
          ),
          '',
          expect.stringMatching(/^HOST +STANDS +SINCE +LAST HEARD +KEEPS +NAMES$/),
          expect.stringMatching(/ lives /),
          expect.stringMatching(/ lives /),
        ],
      });
      expect((await status(all, '-o', 'name')).stdout).toBe('c1\nc2\nc3\n');
      expect((await status(all, '-o', 'yaml')).stdout).toContain('isLate: false');
    });

    test('a user without rights makes no table, and is told the one statement that shows more', async () => {
      const admin = await connected('admin');
      await admin.query('create role reader login');
      const tables = `select count(*)::int as n from pg_class where relnamespace = 'public'::regnamespace`;
      expect((await admin.query(tables)).rows).toEqual([{ n: 0 }]);
      const as = ['--lease', postgres.url.replace('pve@', 'reader@')];
      const line = ['status', '--all', '--spec', '-', ...as];
      const blind = await run(line, {}, all);
      expect(blind.code).toBe(0);
      expect(blind.stdout).toMatch(/^c3 +1 +kept +\S.* \(address not shown\) +- +-$/m);
      expect((await run([...line, '-o', 'wide'], {}, all)).stderr).toBe(blind.stderr);
      const [, statement = ''] = /allows it with: (.*?;)/.exec(blind.stderr) ?? [];
      expect(statement).toBe('GRANT pg_read_all_stats TO "reader";');
      await admin.query(statement);
      const seeing = await run(line, {}, all);
      expect(seeing).toMatchObject({ code: 0, stderr: '' });
      expect(seeing.stdout).toMatch(/^c3 +1 +kept +\S.* \(127\.0\.0\.1\) +20/m);
      expect((await admin.query(tables)).rows).toEqual([{ n: 0 }]);
    });

    test('a host is killed: what only it names is late, and what others name is taken over', async () => {
      const [, last] = lab.hosts as [Host, Host];
      last.running.child.kill('SIGKILL');
      await last.running.ended;
      await until(async () => (await told(all)).hosts.length === 1, 'its session stays');
      const { code, stdout, stderr } = await status(all);
      expect({ code, stdout, stderr }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^c3 +1 +late +- +- +-$/m) as string,
        stderr: expect.stringMatching(
          /cluster c3: no host keeps it, and no host that lives names it: start/,
        ) as string,
      });
      await until(
        async () => (await told(all)).clusters.filter(({ isLate }) => isLate === true).length === 1,
        'nobody takes over',
      );
    });
  });

  test('a host that hangs is late before its session has ended, and its name steers no terminal', async () => {
    const client = await connected('pve-reconciler ev\u001b[31mil');
    const { kept, named, host } = lockNumbers('hangs');
    const number = numberOf('c1');
    await client.query('select pg_advisory_lock_shared($1, $2)', host);
    await client.query('select pg_advisory_lock_shared($1, $2)', [named, number]);
    const name = ['--lease-name', 'hangs'];
    expect((await told(desired(['c1']), ...name)).clusters[0]?.['reason']).toMatch(
      /the one host that names it takes it\. .* look at its log$/,
    );
    await client.query('select pg_advisory_lock($1, $2)', [kept, number]);
    expect((await told(desired(['c1']), ...name)).clusters).toMatchObject([{ isLate: false }]);
    await until(
      async () => (await told(desired(['c1']), ...name)).clusters[0]?.['isLate'] === true,
      'not late',
    );
    const { stdout, stderr } = await status(desired(['c1']), '-o', 'wide', ...name);
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /^c1 +1 +late +ev\S+il \(127\.0\.0\.1\) .* has said nothing for \d+\.\d s: it may write no more\. /m,
    );
    expect(stdout + stderr).not.toContain('\u001b');
  });

  test('it sets nothing: behind a pooler that would hold for whoever has the session next', async () => {
    const cable = await cableTo(postgres.port);
    const at = postgres.url.replace(`:${postgres.port}/`, `:${cable.port}/`);
    await run(['status', '--all', '--spec', '-', '--lease', at], {}, desired(['c1']));
    await cable.close();
    expect(cable.sent()).toContain('pg_locks');
    expect(cable.sent()).not.toMatch(/\bset\s/i);
  });

  test('a process that has all as one keeps all', async () => {
    const client = await connected('pve-reconciler single');
    await client.query('select pg_advisory_lock($1, $2)', lockNumbers('one').host);
    const { clusters, hosts } = await told(desired(['c1', 'c2']), '--lease-name', 'one');
    expect(clusters).toMatchObject([{ keptBy: 'single (127.0.0.1)' }, { keptBy: 'single (127.0.0.1)' }]);
    expect(hosts).toMatchObject([{ keeps: 2, names: 2 }]);
  });

  test('no host at all: one line says so, and each cluster is late', async () => {
    for (const form of [[], ['-o', 'wide']]) {
      const { code, stdout, stderr } = await status(desired(['c1', 'c2']), '--lease-name', 'nobody', ...form);
      expect(code).toBe(0);
      expect(stdout.match(/ late /g)).toHaveLength(2);
      expect(stderr.trim().split('\n')).toEqual([
        expect.stringContaining('no host has it, and no cluster is kept'),
      ]);
    }
  });

  test('where no desired state is stored yet it says so, and makes no table', async () => {
    const line = ['status', '--all', '--lease', postgres.url, '--spec', postgres.url];
    const { code, stdout, stderr } = await run(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('holds no desired state yet: store one with pve-reconciler put');
    const client = await connected('admin');
    const { rows } = await client.query(`select to_regclass('pve_reconciler_desired') as name`);
    expect(rows).toEqual([{ name: null }]);
  });

  test('forty clusters with 10,000 machines are forty rows', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `c${n}`);
    const { clusters } = await told(desired(names, 250), '--lease-name', 'many');
    expect(clusters.map(({ name, machines }) => [name, machines])).toEqual(names.map(name => [name, 250]));
  });

  test('a database that is away, missing, or a copy is told with what to do', async () => {
    const at = (url: string) => run(['status', '--all', '--spec', '-', '--lease', url], {}, desired(['c1']));
    expect(await at('postgres://pve@127.0.0.1:1/x')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /the lease pve-reconciler in PostgreSQL .*ECONNREFUSED.*again is safe/,
      ) as string,
    });
    const missing = await at(postgres.url.replace('/postgres', '/no%1b[31m'));
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no such database') as string,
    });
    expect(missing.stderr).not.toContain('\u001b');
    const copy = await postgres.copy();
    try {
      expect(await at(copy.url)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('this is a copy of another PostgreSQL') as string,
      });
    } finally {
      await copy.close();
    }
  });
}
