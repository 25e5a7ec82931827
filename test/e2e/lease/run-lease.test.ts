import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { PostgresLease } from '../../../reconciler/lease/postgres-lease';
import { PostgresSession } from '../../../reconciler/lease/postgres-session';
import { daemonLab, until, type DaemonLab } from '../../support/daemon/daemon-lab';
import { noPostgres, startPostgres, type Postgres } from '../../support/lease/postgres';
import { run } from '../../support/processes/cli';
import { skipped } from '../../support/skipped';

const web = { id: 'web', image: { blank: true }, node: 'pve1' };

test.each<[words: string[], says: string]>([
  [['--lease', 'postgresql'], '--lease is neither "kubernetes" nor an address of PostgreSQL'],
  [['--lease', 'mysql://db/x'], '--lease is neither "kubernetes" nor an address of PostgreSQL'],
  [['--lease', 'postgres://pve:secret@db/x'], 'remove the password from the address, and set PGPASSWORD'],
  [['--lease', 'postgres://db/x?password=secret'], 'remove password from the address'],
  [['--lease', 'postgres://db'], '--lease: name the database too'],
  [['--lease', 'postgres://db/x', '--lease-name', 'A b'], '--lease-name "A b" is no name'],
  [['--lease-name', 'a'], '--lease-name means something with --lease only: add it.'],
  [['--lease', 'kubernetes'], 'KUBECONFIG is not set, and this is no pod of Kubernetes'],
  [['--lease', 'postgres://db/x', '--spec', '-'], 'Give a file in place of -.'],
])('run %j is refused', async (words, says) => {
  const { code, stderr } = await run(['run', '--spec', 'no-such-file.json', ...words]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) as string });
  expect(stderr).not.toContain('secret');
});

test('what is wrong with the files is said by a host that would only stand by', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lease-'));
  const file = path.join(folder, 'desired.json');
  writeFileSync(file, '{"version":1');
  // nobody listens at this port
  const { code, stderr } = await run(['run', '--spec', file, '--lease', 'postgres://127.0.0.1:1/x']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(file) as string });
  rmSync(folder, { recursive: true });
});

const why = noPostgres();
if (why !== undefined) skipped('a host that shares clusters by a lease in PostgreSQL', why);
else {
  let postgres: Postgres;
  let lab: DaemonLab;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  beforeEach(async () => {
    lab = await daemonLab([web]);
  });
  afterEach(() => lab.close());
  afterAll(() => postgres?.close());

  const begin = (leaseName?: string) => lab.start({ lease: postgres.url, ...(leaseName && { leaseName }) });
  type Daemon = ReturnType<typeof begin>;
  const atWork = async (daemon: Daemon): Promise<string | undefined> =>
    (await daemon.metrics())
      .split('\n')
      .find(line => line.startsWith('proxmox_operator_at_work{') && line.includes('cluster="lab"'))
      ?.replace(/.* /, '');
  const says = (daemon: Daemon, message: string): Promise<unknown> =>
    until(
      () => daemon.said(message),
      lines => lines.length > 0,
    );
  const has = (tag: string): Promise<unknown> =>
    until(
      () => lab.guests('web')[0]?.config['tags'],
      tags => String(tags).split(';').includes(tag),
    );
  const ask = async (text: string): Promise<void> => {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    await client.query('set default_transaction_read_only = off');
    await client.query(text);
    await client.end();
  };

  test('it is ready, says who keeps the cluster, writes nothing, and takes over when the other one ends', async () => {
    const first = begin();
    await says(first, 'Finished');
    expect(await atWork(first)).toBe('1');
    const second = begin();
    await says(second, 'Stands by');
    expect(await atWork(second)).toBe('0');
    expect(await second.ready()).toMatchObject({
      status: 200,
      text: expect.stringMatching(/^ok\ncluster lab: .+ \(127\.0\.0\.1\) keeps it, since 20.+\n$/),
    });
    expect(JSON.parse((await second.get('STATUS_BIND_ADDRESS', '/machines')).text)).toMatchObject({
      clusters: [{ name: 'lab', keptBy: expect.stringContaining('127.0.0.1'), since: expect.any(String) }],
      machines: [],
    });
    expect(second.said('Reached the cluster')).toEqual([]);
    await first.stop();
    await says(second, 'Reached the cluster');
    await second.stop();
    expect(lab.guests('web').length).toBe(1);
  });

  test('hosts with other names of the lease do not wait for each other', async () => {
    const [one, other] = [begin('one'), begin('other')];
    for (const daemon of [one, other]) await says(daemon, 'Holds the lease');
    await Promise.all([one.stop(), other.stop()]);
  });

  test('it prunes only what it has seen in its files since it took the cluster', async () => {
    const old = { id: 'old', image: { blank: true }, node: 'pve1' };
    lab.want([web, old]);
    const first = lab.start({ lease: postgres.url, prune: true });
    await until(
      () => lab.guests('old').length,
      count => count === 1,
    );
    const second = lab.start({ lease: postgres.url, prune: true });
    await says(second, 'Stands by');
    await first.stop();
    lab.want([web]);
    await says(second, 'Orphan: nothing asks for it any more');
    const [told] = second.said('Orphan: nothing asks for it any more');
    expect(told?.['remedy']).toMatch(/since this host took over, nobody has asked for it/);
    await second.stop();
    expect(lab.guests('old').length).toBe(1);
  });

  test('PostgreSQL goes away and comes back: nobody works meanwhile, and it is said why', async () => {
    const daemon = begin();
    await says(daemon, 'Reached the cluster');
    await says(daemon, 'Finished');
    await postgres.stop();
    await says(daemon, 'The lease cannot be taken');
    await says(daemon, 'Lost the lease');
    expect(await atWork(daemon)).toBe('0');
    expect((await daemon.ready()).text).toMatch(/^ok\ncluster lab: this host does not keep it: /);
    const writes = lab.writes().length;
    lab.want([{ ...web, tags: ['late'] }]);
    await new Promise(resolve => setTimeout(resolve, 1_500));
    expect(lab.writes().length).toBe(writes);
    await postgres.start();
    await has('late');
    await daemon.stop();
  });

  test('PostgreSQL is away at the start: the daemon waits for it', async () => {
    await postgres.stop();
    const daemon = begin();
    await says(daemon, 'The lease cannot be taken');
    expect((await daemon.ready()).status).toBe(200);
    await postgres.start();
    await says(daemon, 'Finished');
    await daemon.stop();
  });

  test('PostgreSQL is restarted: the cluster is held anew, after the time that another host would wait too', async () => {
    const daemon = begin();
    await says(daemon, 'Finished');
    await postgres.stop();
    await postgres.start();
    await says(daemon, 'Lost the lease');
    lab.want([{ ...web, tags: ['again'] }]);
    await has('again');
    const [lost] = daemon.said('Lost the lease');
    const held = daemon.said('Holds the lease').at(-1);
    expect(Date.parse(String(held?.['time'])) - Date.parse(String(lost?.['time']))).toBeGreaterThan(4_000);
    await daemon.stop();
  });

  test('a PostgreSQL that only reads is as good', async () => {
    await ask('alter system set default_transaction_read_only = on');
    await ask('select pg_reload_conf()');
    const daemon = begin();
    await says(daemon, 'Finished');
    await daemon.stop();
    await ask('alter system reset default_transaction_read_only');
    await ask('select pg_reload_conf()');
  });

  test('PostgreSQL takes no more sessions: it is said, and the cluster is taken when there is room', async () => {
    const others: Client[] = [];
    for (;;) {
      const client = new Client({ connectionString: postgres.url });
      client.on('error', () => undefined);
      try {
        await client.connect();
        others.push(client);
      } catch {
        break;
      }
    }
    const daemon = begin();
    await says(daemon, 'The lease cannot be taken');
    expect(String(daemon.said('The lease cannot be taken')[0]?.['error'])).toMatch(/too many clients/);
    await Promise.all(others.map(client => client.end()));
    await says(daemon, 'Finished');
    await daemon.stop();
  });

  test('a process that has all clusters as one, and hosts that share them, keep each other out', async () => {
    const daemon = begin();
    await says(daemon, 'Holds the lease');
    const session = new PostgresSession(postgres.url, 'pve-reconciler');
    const whole = new PostgresLease(session);
    const stop = new AbortController();
    expect(await whole.take(stop.signal)).toMatch(/\(127\.0\.0\.1\)$/);
    await daemon.stop();
    const taken = whole.take(stop.signal);
    expect(await taken).toBeUndefined();
    const renewing = setInterval(() => void whole.renew(), 1_000);
    const next = begin();
    await says(next, 'The lease cannot be taken');
    expect(String(next.said('The lease cannot be taken')[0]?.['error'])).toMatch(/holds all of the lease/);
    clearInterval(renewing);
    await whole.release();
    await says(next, 'Holds the lease');
    await next.stop();
  });
}
