import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { noPostgres, startPostgres, type Postgres } from '../../support/lease/postgres';
import { run } from '../../support/processes/cli';
import { skipped } from '../../support/skipped';

/** The statement as the page gives it. */
const [STATEMENT = ''] = /^DELETE FROM pve_reconciler_desired[^;]*;/m.exec(
  readFileSync(path.join(process.cwd(), 'docs', 'daemon.md'), 'utf8'),
) ?? [''];
const document = (machine: string): string =>
  `version: 1\nowner: team/lab\ncluster: { name: lab }\nmachines:\n  - id: ${machine}\n    image: { blank: true }\n`;

const why = noPostgres();
if (why !== undefined) skipped('old versions of a desired state', why);
else {
  let postgres: Postgres;
  const clients: Client[] = [];
  const connected = async (): Promise<Client> => {
    const client = new Client({ connectionString: postgres.url });
    clients.push(client);
    await client.connect();
    return client;
  };
  const put = (set: string, machine: string) =>
    run(['put', '-', '--yes', '--spec', `${postgres.url}#${set}`], {}, document(machine));
  const versions = async (set: string): Promise<number[]> => {
    const { stdout } = await run(['get', '--history', '--json', '--spec', `${postgres.url}#${set}`]);
    return (JSON.parse(stdout) as { versions: { version: number }[] }).versions.map(({ version }) => version);
  };
  /** A set with so many versions. */
  const filled = async (set: string, count: number): Promise<Client> => {
    expect(await put(set, 'web-1')).toMatchObject({ code: 0 });
    const client = await connected();
    await client.query(
      `insert into pve_reconciler_desired select name, n, form, now(), put_by, null, document
         from pve_reconciler_desired, generate_series(2, $2::int) n where name = $1 and version = 1`,
      [set, count],
    );
    return client;
  };

  beforeAll(async () => void (postgres = await startPostgres()));
  afterEach(async () => void (await Promise.all(clients.splice(0).map(client => client.end()))));
  afterAll(() => postgres?.close());

  test('the statement of the page keeps the last 50 of each set, and the next number goes on', async () => {
    await filled('short', 3);
    const client = await filled('long', 120);
    await client.query(STATEMENT);
    expect(await versions('short')).toEqual([3, 2, 1]);
    expect(await versions('long')).toEqual(Array.from({ length: 50 }, (_, n) => 120 - n));
    const { stdout } = await put('long', 'web-2');
    expect(stdout).toContain('Stored as version 121 of');
    const gone = await run(['get', '--version', '1', '--spec', `${postgres.url}#long`]);
    expect(gone).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no version 1: the newest is 121') as string,
    });
  });

  test('a put that is not yet committed is newest after it', async () => {
    const client = await filled('open', 60);
    await client.query('begin');
    await client.query(
      `insert into pve_reconciler_desired select name, 61, form, now(), put_by, null, document
         from pve_reconciler_desired where name = 'open' and version = 60`,
    );
    await (await connected()).query(STATEMENT);
    await client.query('commit');
    expect(await versions('open')).toEqual(Array.from({ length: 51 }, (_, n) => 61 - n));
  });

  test('two put at once while old ones are removed again and again: no version that was stored is lost', async () => {
    const client = await filled('race', 70);
    let isOver = false;
    const removing = (async () => {
      while (!isOver) await client.query(STATEMENT);
    })();
    const stored: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const ran = await Promise.all(['a', 'b'].map(who => put('race', `web-${who}${round}`)));
      expect(ran.filter(({ code }) => code !== 0 && code !== 3)).toEqual([]);
      for (const { stdout } of ran) {
        const [, number] = /^Stored as version (\d+)/m.exec(stdout) ?? [];
        if (number !== undefined) stored.push(Number(number));
      }
      expect((await versions('race'))[0]).toBe(Math.max(...stored));
    }
    isOver = true;
    await removing;
    await client.query(STATEMENT);
    const kept = await versions('race');
    expect(kept).toHaveLength(50);
    expect(kept).toEqual(expect.arrayContaining(stored));
    expect(stored).toEqual([...new Set(stored)]);
  });
}
