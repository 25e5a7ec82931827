import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { noPostgres, startPostgres, type Postgres } from '../../support/lease/postgres';
import { run, start } from '../../support/processes/cli';
import { skipped } from '../../support/skipped';

const yaml = (machines: string, more = ''): string =>
  `version: 1\nowner: team/lab\ncluster: { name: lab }\n${more}machines:\n${machines}`;
const WEB = '  - id: web\n    image: { blank: true }\n';
const DB = '  - id: db\n    image: { blank: true }\n';

test.each<[words: string[], says: string]>([
  [['put', '-'], 'put needs one address of PostgreSQL'],
  [['put', '-', '--spec', 'desired.json'], 'put needs one address of PostgreSQL'],
  [
    ['put', 'postgres://pve:secret@db.example.com/pve', '--spec', 'postgres://db.example.com/pve'],
    'put takes a file or -, and no address. To copy',
  ],
  [['get', '--spec', 'postgres://db/x', '--manifests', 'postgres://db/x'], 'get needs one address'],
  [['get', '--spec', 'postgres://db'], 'name the database too'],
  [['get', '--spec', 'postgres:///x'], 'an address of PostgreSQL has a host and a database'],
  [['get', '--spec', 'postgres://pve:secret@db/x'], 'remove the password from the address'],
  [['get', '--spec', 'postgres://db/x?password=secret'], 'remove password from the address'],
  [['get', '--spec', 'POSTGRES://pve:secret@db/x'], 'remove the password from the address'],
  [['plan', '--spec', 'postgres:pve:secret@db/x'], 'an address of PostgreSQL has a host and a database'],
  [['plan', '--manifests', 'Postgresql:/pve:secret@db/x'], 'an address of PostgreSQL has a host'],
  [['get', '--spec', 'postgres://db/x?sslpassword=secret'], 'remove sslpassword from the address'],
  [['run', '--spec', 'x', '--lease', 'postgres://db/x?sslpassword=secret'], 'remove sslpassword from'],
  [['get', '--spec', 'postgres://u%zz@db/x'], 'Write %25 for the sign itself'],
  [['run', '--spec', 'x', '--lease', 'postgres://u%zz@db/x'], 'Write %25 for the sign itself'],
  [
    ['get', '--spec', 'postgres://u@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/no/such/file'],
    'the file /no/such/file of its address cannot be read (ENOENT)',
  ],
  [['get', '--spec', 'postgres://db/x#A b'], 'behind "#" is no name'],
  [['get', '--spec', 'postgres://db/x', '--version', 'one'], '--version one is no number of a version'],
  [['get', '--spec', 'postgres://db/x', '--version', '1', '--history'], '--history tells of all versions'],
  [['plan', '--spec', 'postgres://pve:secret@db/x'], 'remove the password from the address'],
])('%j is refused', async (words, says) => {
  const { code, stderr } = await run(words, {}, yaml(WEB));
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) as string });
  expect(stderr).not.toContain('secret');
});

test('nobody listens: it says so, and is no fault of the program', async () => {
  const { code, stderr } = await run(['get', '--spec', 'postgres://pve@127.0.0.1:1/x']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/set desired in PostgreSQL at 127\.0\.0\.1:1\/x.*ECONNREFUSED.*again is safe/);
  expect(stderr).not.toContain('fault of pve-reconciler');
});

const why = noPostgres();
if (why !== undefined) skipped('a desired state in PostgreSQL', why);
else {
  let postgres: Postgres;
  let folder: string;
  let sets = 0;
  let place: string;
  const put = (text: string, ...more: string[]) =>
    run(['put', '-', '--yes', '--spec', place, ...more], {}, text);
  const get = (...more: string[]) => run(['get', '--spec', place, ...more]);
  const withClient = async <T>(work: (client: Client) => Promise<T>, url = postgres.url): Promise<T> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    postgres = await startPostgres();
    folder = mkdtempSync(path.join(tmpdir(), 'stored-'));
  });
  afterAll(async () => {
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    sets += 1;
    place = `${postgres.url}#set-${sets}`;
  });

  test('nothing is there before the first put, and a reader makes nothing', async () => {
    for (const words of [['get'], ['get', '--history'], ['plan']]) {
      const { code, stderr } = await run([...words, '--spec', place]);
      expect({ code, stderr }).toMatchObject({ code: 2 });
      expect(stderr).toContain('holds no desired state yet');
    }
    const { rows } = await withClient(client =>
      client.query<{ name: string | null }>(`select to_regclass('pve_reconciler_desired') as name`),
    );
    expect(rows).toEqual([{ name: null }]);
  });

  const long = WEB + `    description: "${'ä€😀'.repeat(800)}"\n`;
  const many = Array.from({ length: 20_000 }, (_, n) => ({
    ...{ id: `db-${n}`, image: { blank: true }, description: 'one of many'.repeat(6) },
  }));
  const huge = JSON.stringify({ version: 1, owner: 'x', cluster: { name: 'lab' }, machines: many });
  test.each<[what: string, text: string]>([
    ['as it is', yaml(WEB)],
    ['lines as of Windows', yaml(WEB).replaceAll('\n', '\r\n')],
    [
      'a mark of the encoding, tabs in a comment, no end of the last line',
      `\uFEFF# \t…\n${yaml(WEB).trimEnd()}`,
    ],
    ['letters of all kinds', yaml(long)],
    ['JSON', JSON.stringify({ version: 1, owner: 'x', cluster: { name: 'lab' }, machines: [] }, null, '\t')],
    ['several documents', `${yaml(WEB)}---\n${yaml(DB).replace('lab }', 'other }')}`],
    ['more than 2 MB', huge],
  ])('what was put is got to the byte: %s', async (_, text) => {
    expect(huge.length).toBeGreaterThan(2_000_000);
    expect(await put(text)).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout } = await get();
    expect({ code, isSame: stdout === text }).toEqual({ code: 0, isSame: true });
  });

  test('it says what comes, changes and leaves; stores nothing twice; and goes back', async () => {
    const first = await put(yaml(WEB), '--why', 'a \u001b[31m start');
    expect(first.stdout).toBe(
      `+ web (team/lab, cluster lab) comes\nStored as version 1 of the set set-${sets} in PostgreSQL at 127.0.0.1:${postgres.port}/postgres.\n`,
    );
    const file = path.join(folder, 'desired.yaml');
    writeFileSync(file, yaml(`${WEB}    memory: 2Gi\n${DB}`));
    const second = await run(['put', file, '--spec', place]);
    expect(second.stdout).toMatch(/^~ web .* changes: memory\n\+ db .* comes\nStored as version 2 /);
    expect((await run(['put', file, '--spec', place])).stdout).toMatch(/^Nothing has changed: version 2 of/);
    const one = (await get('--version', '1')).stdout;
    expect(await run(['put', '-', '--spec', place], {}, one)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /1 machine leaves: db\. .*--prune destroys.*: add --yes\. Nothing was changed\./,
      ),
    });
    const third = await put(one, '--json');
    expect(JSON.parse(third.stdout)).toMatchObject({
      version: 3,
      isStored: true,
      differences: [
        { machine: 'web', kind: 'changes', fields: ['memory'] },
        { machine: 'db', kind: 'leaves' },
      ],
    });
    const table = (await get('--history')).stdout.split('\n');
    expect(table.slice(0, 4)).toEqual([
      expect.stringMatching(/^VERSION +STORED +BY +BYTES +WHY$/),
      expect.stringMatching(/^3 +20\S+Z +\S+@\S+ +\d+ +-$/),
      expect.stringMatching(/^2 +20/),
      expect.stringMatching(/^1 .* a \\u001b\[31m start$/),
    ]);
    const told = JSON.parse((await get('--history', '--json')).stdout) as { versions: object[] };
    expect(told.versions.length).toBe(3);
    expect((await get('--version', '4')).stderr).toContain('has no version 4: the newest is 3');
    expect(JSON.parse((await get('--version', '1', '--json')).stdout)).toMatchObject({ text: yaml(WEB) });
  });

  const SECRETS: [what: string, text: string, says: string][] = [
    ['no document', 'web', 'on stdin'],
    ['a wrong field', yaml(WEB.replace('image', 'imgae')), 'imgae'],
    ['nothing', '  \n', 'is empty'],
    ['a manifest', 'apiVersion: v1\nkind: Machine\nmetadata: { name: x }\n', 'is a manifest'],
    [
      'a password in user data',
      yaml(`${WEB}    cloudInit: { userData: { users: [{ name: a, plain_text_passwd: x }] } }\n`),
      'web: cloudInit.userData holds a password (plain_text_passwd) in plain',
    ],
    [
      'passwords in a text',
      yaml(
        `${WEB}    cloudInit:\n      userData: |\n        #cloud-config\n        chpasswd: { list: "a:b" }\n`,
      ),
      'holds passwords (chpasswd.list) in plain',
    ],
    [
      'a password in a template',
      yaml(
        `${WEB}    cloudInit:\n      userData: |\n        ## template: jinja\n        #cloud-config\n        password: secret\n`,
      ),
      'holds a password (password) in plain',
    ],
    [
      'a password in a template that is no YAML',
      yaml(
        `${WEB}    cloudInit:\n      userData: |\n        ## template: jinja\n        #cloud-config\n        {% if x %}\n        password: secret\n        {% endif %}\n`,
      ),
      'holds a password (password) in plain',
    ],
    [
      'a password in an archive',
      yaml(
        `${WEB}    cloudInit:\n      userData: |\n        #cloud-config-archive\n        - type: text/cloud-config\n          content: |\n            #cloud-config\n            password: secret\n`,
      ),
      'holds a password (password) in plain',
    ],
    [
      'a password in a patch',
      yaml(
        `${WEB}    cloudInit:\n      userData: |\n        #cloud-config-jsonp\n        [{ "op": "add", "path": "/users/0/passwd", "value": "secret" }]\n`,
      ),
      'holds a password (passwd) in plain',
    ],
    [
      'what has several parts',
      yaml(
        `${WEB}    cloudInit:\n      userData: |\n        Content-Type: multipart/mixed; boundary="x"\n\n        --x\n`,
      ),
      'holds several parts (MIME)',
    ],
    [
      'a password of a radio network',
      yaml(
        `${WEB}    cloudInit: { networkData: { version: 2, wifis: { w: { access-points: { a: { password: x } } } } } }\n`,
      ),
      'cloudInit.networkData holds a password',
    ],
    [
      'a private key',
      yaml(`${WEB}    cloudInit: { userData: "#!/bin/sh\\n-----BEGIN RSA PRIVATE KEY-----" }\n`),
      'holds a private key in plain',
    ],
  ];
  test.each(SECRETS)('%s is not stored', async (_, text, says) => {
    const { code, stderr } = await put(text);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) as string });
    expect((await get()).stderr).toContain('holds no desired state yet');
  });

  test('a password that is only named, or not changed, is no secret', async () => {
    const all = [
      'chpasswd: { expire: false }, users: [default], ssh_pwauth: false',
      'users: [{ name: a, passwd: "*" }, { name: b, passwd: "!" }], chpasswd: { list: "a:RANDOM" }',
      'password: RANDOM, chpasswd: { users: [{ name: a, type: RANDOM }] }',
    ];
    for (const data of all)
      expect(await put(yaml(`${WEB}    cloudInit: { userData: { ${data} } }\n`))).toMatchObject({ code: 0 });
  });

  test('manifests are kept as well, without their Secrets', async () => {
    const manifest = `apiVersion: vitistack.io/v1alpha1
kind: Machine
metadata: { name: web }
spec: { cluster: lab, image: { blank: true } }
`;
    const secret = `---\napiVersion: v1\nkind: Secret\nmetadata: { name: s }\nstringData: { a: b }\n`;
    const env = { PVE_TOKEN_ID: 'a@pve!b', PVE_TOKEN_SECRET: 'x' };
    const line = ['put', '-', '--manifests', place];
    expect(await run(line, env, manifest + secret)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it holds a Secret') as string,
    });
    expect(await run(line, env, manifest)).toMatchObject({ code: 0, stderr: '' });
    const { stderr } = await run(['plan', '--manifests', place], {
      ...env,
      PVE_ENDPOINT: 'https://127.0.0.1:1',
    });
    expect(stderr).toContain('ECONNREFUSED');
    expect((await run(['plan', '--spec', place])).stderr).toContain('is a manifest (kind: Machine)');
  });

  test('somebody puts between the read and the write of a put: that is refused, and nothing is stored', async () => {
    await put(yaml(WEB));
    const late = await withClient(async client => {
      await client.query('begin');
      // it may be read, and not written
      await client.query('lock table pve_reconciler_desired in exclusive mode');
      const running = start(['put', '-', '--yes', '--spec', place], {}, yaml(DB));
      const waits = async (): Promise<boolean> => {
        const text = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into%'`;
        // within a transaction the view stays as it was
        return (await withClient(other => other.query(text))).rowCount === 1;
      };
      while (!(await waits())) await new Promise(resolve => setTimeout(resolve, 20));
      await client.query(
        `insert into pve_reconciler_desired select name, 2, form, now(), 'eve@other', null, document
           from pve_reconciler_desired where name = $1`,
        [`set-${sets}`],
      );
      await client.query('commit');
      return running;
    });
    const { code, stderr } = await late.ended;
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('eve@other has stored version 2 since version 1 was read') as string,
    });
    expect((await get()).stdout).toBe(yaml(WEB));
  });

  test('several put at once, also as the first ones: each version has one winner, and the others hear of it', async () => {
    await withClient(client => client.query('drop table pve_reconciler_desired'));
    const texts = Array.from({ length: 6 }, (_, n) => yaml(WEB.replace('web', `web-${n}`)));
    const ran = await Promise.all(texts.map(text => put(text)));
    expect(ran.filter(({ code }) => code !== 0 && code !== 3)).toEqual([]);
    const stored = ran.filter(({ code }) => code === 0).length;
    expect(stored).toBeGreaterThan(0);
    const { versions } = JSON.parse((await get('--history', '--json')).stdout) as { versions: object[] };
    expect(versions.length).toBe(stored);
  });

  describe('rights', () => {
    const as = (user: string): string => `postgres://${user}@127.0.0.1:${postgres.port}/rights`;
    beforeAll(async () => {
      await withClient(async client => {
        await client.query('create database rights');
        for (const user of ['poor', 'reader']) await client.query(`create role ${user} login`);
      });
      const inIt = as('pve');
      await withClient(client => client.query('revoke create on schema public from public'), inIt);
    });

    test('who may not make the table is told the one statement that helps', async () => {
      const line = ['put', '-', '--yes', '--spec', as('poor')];
      const { code, stderr } = await run(line, {}, yaml(WEB));
      expect(code).toBe(2);
      const [, statement = ''] = /database, with: (.*?;)/.exec(stderr) ?? [];
      expect(statement).toBe('GRANT CREATE ON SCHEMA "public" TO "poor";');
      await withClient(client => client.query(statement), as('pve'));
      expect(await run(line, {}, yaml(WEB))).toMatchObject({ code: 0 });
    });

    test('who may not read it is told as well; who only reads cannot put', async () => {
      const read = ['get', '--spec', as('reader')];
      const denied = await run(read);
      const [, statement = ''] = /allows it with: (.*?;)/.exec(denied.stderr) ?? [];
      expect(statement).toBe('GRANT SELECT, INSERT ON pve_reconciler_desired TO "reader";');
      await withClient(client => client.query(statement.replace(', INSERT', '')), as('pve'));
      expect(await run(read)).toMatchObject({ code: 0, stdout: yaml(WEB) });
      expect(await run(['put', '-', '--yes', '--spec', as('reader')], {}, yaml(DB))).toMatchObject({
        code: 2,
      });
      await withClient(client => client.query(statement), as('pve'));
      expect(await run(['put', '-', '--yes', '--spec', as('reader')], {}, yaml(DB))).toMatchObject({
        code: 0,
      });
    });
  });

  test('a database that only reads is read, and put says what to do', async () => {
    await put(yaml(WEB));
    await withClient(client => client.query('alter role pve set default_transaction_read_only = on'));
    try {
      expect(await get()).toMatchObject({ code: 0, stdout: yaml(WEB) });
      const { code, stderr } = await put(yaml(DB));
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('it only reads') as string,
      });
    } finally {
      await withClient(async client => {
        await client.query('set default_transaction_read_only = off');
        await client.query('alter role pve reset default_transaction_read_only');
      });
    }
  });

  test('a copy of the server is refused: it may be behind', async () => {
    const copy = await postgres.copy();
    try {
      const { code, stderr } = await run(['get', '--spec', copy.url]);
      expect({ code, stderr }).toMatchObject({ code: 2 });
      expect(stderr).toContain('this is a copy of another PostgreSQL, and may be behind it');
    } finally {
      await copy.close();
    }
  });

  test('what a newer release wrote is not guessed at', async () => {
    await put(yaml(WEB));
    const set = `set-${sets}`;
    await withClient(client =>
      client.query('update pve_reconciler_desired set form = 2 where name = $1', [set]),
    );
    for (const ran of [await get(), await put(yaml(DB))])
      expect(ran).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('a newer release wrote version 1 (form 2') as string,
      });
    await withClient(client => client.query('delete from pve_reconciler_desired where name = $1', [set]));
    await withClient(client =>
      client.query('alter table pve_reconciler_desired rename column why to reason'),
    );
    expect((await get()).stderr).toContain('is not that of this release');
    await withClient(client =>
      client.query('alter table pve_reconciler_desired rename column reason to why'),
    );
  });
}
