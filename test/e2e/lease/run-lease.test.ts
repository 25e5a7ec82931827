import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
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
if (why !== undefined) skipped('a host that stands by for the lease in PostgreSQL', why);
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
  const atWork = async (daemon: ReturnType<typeof begin>): Promise<string | undefined> =>
    (await daemon.metrics())
      .split('\n')
      .find(line => line.startsWith('proxmox_operator_at_work{'))
      ?.replace(/.* /, '');

  test('it is ready, says who works, writes nothing, and takes over when the other one ends', async () => {
    const first = begin();
    await until(
      () => first.said('Finished'),
      lines => lines.length > 0,
    );
    expect(await atWork(first)).toBe('1');
    const second = begin();
    await until(
      () => second.said('Stands by'),
      lines => lines.length > 0,
    );
    expect(await atWork(second)).toBe('0');
    expect(await second.ready()).toMatchObject({
      status: 200,
      text: expect.stringMatching(/^standing by: .+ holds the lease pve-reconciler in PostgreSQL at 127/),
    });
    expect(await second.get('STATUS_BIND_ADDRESS', '/machines')).toMatchObject({ status: 503 });
    expect(second.said('Started the daemon')).toEqual([]);
    await first.stop();
    await until(
      () => second.said('Reached the cluster'),
      lines => lines.length > 0,
    );
    await second.stop();
    expect(lab.guests('web').length).toBe(1);
  });

  test('hosts with other names of the lease do not wait for each other', async () => {
    const [one, other] = [begin('one'), begin('other')];
    for (const daemon of [one, other])
      await until(
        () => daemon.said('Holds the lease'),
        lines => lines.length > 0,
      );
    await Promise.all([one.stop(), other.stop()]);
  });

  test('PostgreSQL goes away and comes back: nobody works meanwhile, and the page says why', async () => {
    const daemon = begin();
    await until(
      () => daemon.said('Reached the cluster'),
      lines => lines.length > 0,
    );
    await postgres.stop();
    await until(
      () => daemon.said('The lease cannot be taken'),
      lines => lines.length > 0,
    );
    const writes = lab.writes().length;
    lab.want([{ ...web, tags: ['late'] }]);
    await new Promise(resolve => setTimeout(resolve, 1_500));
    expect(lab.writes().length).toBe(writes);
    await postgres.start();
    await until(
      () => lab.guests('web')[0]?.config['tags'],
      tags => String(tags).includes('late'),
    );
    await daemon.stop();
  });
}
