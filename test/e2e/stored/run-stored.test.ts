import { Client } from 'pg';
import { atStore } from '../../../reconciler/postgres/store';
import { desiredText, run } from '../../support/processes/cli';
import { daemonLab, until, type DaemonLab } from '../../support/daemon/daemon-lab';
import { noPostgres, startPostgres, type Postgres } from '../../support/lease/postgres';
import { skipped } from '../../support/skipped';

const web = { id: 'web', image: { blank: true }, node: 'pve1' };
const old = { ...web, id: 'old' };

const why = noPostgres();
if (why !== undefined) skipped('a daemon that follows a desired state in PostgreSQL', why);
else {
  let postgres: Postgres;
  let lab: DaemonLab;
  let place: string;
  let sets = 0;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  beforeEach(async () => {
    lab = await daemonLab([]);
    sets += 1;
    place = `${postgres.url}#set-${sets}`;
  });
  afterEach(() => lab.close());
  afterAll(() => postgres?.close());

  const put = async (machines: object[]): Promise<void> => {
    const { code, stderr } = await run(['put', '-', '--yes', '--spec', place], {}, desiredText(machines));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  };
  const ask = async (text: string): Promise<void> => {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  const begin = (prune = false, environment = {}) => lab.start({ spec: [place], prune }, environment);
  type Daemon = ReturnType<typeof begin>;
  const says = (daemon: Daemon, message: string): Promise<unknown> =>
    until(
      () => daemon.said(message),
      lines => lines.length > 0,
    );
  const isThere = (id: string, count = 1): Promise<unknown> =>
    until(
      () => lab.guests(id).length,
      seen => seen === count,
    );
  const has = (tag: string): Promise<unknown> =>
    until(
      () => lab.guests('web')[0]?.config['tags'],
      tags => String(tags).split(';').includes(tag),
    );
  const isGood = async (daemon: Daemon): Promise<boolean> =>
    /^proxmox_operator_sources_good 1$/m.test(await daemon.metrics());
  const faultOf = async (daemon: Daemon): Promise<string> =>
    (JSON.parse((await daemon.get('STATUS_BIND_ADDRESS', '/machines')).text) as { fault?: string }).fault ??
    '';
  const sessions = async (): Promise<number> => {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where application_name like 'pve-reconciler%'`,
    );
    await client.end();
    return rows[0]?.count ?? 0;
  };

  test('what is put is done, and what leaves is pruned; no session stays', async () => {
    await put([web, old]);
    const daemon = begin(true);
    await isThere('old');
    await put([{ ...web, tags: ['second'] }]);
    await has('second');
    await isThere('old', 0);
    await until(sessions, count => count === 0);
    await daemon.stop();
  });

  test('PostgreSQL goes away: it works on by what it read, says that it may be old, and prunes nothing', async () => {
    await put([{ ...web, tags: ['first'] }, old]);
    const daemon = begin(true);
    await isThere('web');
    await isThere('old');
    await postgres.stop();
    await says(daemon, 'Bad desired state: the last good one is kept');
    expect(await faultOf(daemon)).toMatch(/does not answer well.*as it was at 20.*, and may be old/);
    expect(await isGood(daemon)).toBe(false);
    // somebody changes it: that is brought back
    const [guest] = lab.guests('web');
    if (guest) guest.config['tags'] = String(guest.config['tags']).replace(/;?first/, '');
    await has('first');
    await postgres.start();
    await until(
      () => isGood(daemon),
      good => good,
    );
    await put([{ ...web, tags: ['back'] }, old]);
    await has('back');
    await postgres.stop();
    await postgres.start();
    await put([{ ...web, tags: ['again'] }, old]);
    await has('again');
    expect(lab.guests('old').length).toBe(1);
    await daemon.stop();
  });

  test('PostgreSQL is away at the start: it waits, says so, is not ready, and begins when it is there', async () => {
    await put([web]);
    await postgres.stop();
    const daemon = begin();
    await says(daemon, 'Waits for the desired state');
    expect(await daemon.ready()).toEqual(
      expect.objectContaining({ status: 500, text: expect.stringContaining('it is waited for') as string }),
    );
    expect((await daemon.get('HEALTH_PROBE_BIND_ADDRESS', '/healthz')).status).toBe(200);
    await postgres.start();
    await says(daemon, 'Finished');
    expect((await daemon.ready()).status).toBe(200);
    await daemon.stop();
  });

  test('interrupted while it waits at the start, it ends', async () => {
    await postgres.stop();
    const daemon = begin();
    await says(daemon, 'Waits for the desired state');
    await daemon.stop();
    await postgres.start();
  });

  test('nothing is there at the start: it ends and says what to do', async () => {
    await expect(begin().ended).rejects.toThrow('holds no desired state yet');
  });

  test.each([
    ['emptied', 'delete from pve_reconciler_desired', /holds no desired state yet/],
    ['taken away', 'drop table pve_reconciler_desired', /holds no desired state yet/],
    [
      'brought back to an older version',
      'delete from pve_reconciler_desired where version = 2',
      /its newest version is 1 of 20\S+, and version 2 of 20\S+ was read before/,
    ],
    [
      'brought back to an older version, and somebody has put since',
      `with gone as (delete from pve_reconciler_desired where version = 2 returning name)
         insert into pve_reconciler_desired select name, 3, form, now(), 'eve@other', null, document
           from pve_reconciler_desired where version = 1 and name in (select name from gone);
       update pve_reconciler_desired set version = 2 where version = 3`,
      /brought an older database back/,
    ],
    [
      'brought back to an older version, and somebody has put two since',
      `update pve_reconciler_desired set put_at = now() where version = 2;
       insert into pve_reconciler_desired select name, 3, form, now(), 'eve@other', null, document
         from pve_reconciler_desired where version = 1`,
      /brought an older database back/,
    ],
    [
      'written by a newer release',
      `insert into pve_reconciler_desired select name, 3, 2, now(), 'eve@other', null, document
         from pve_reconciler_desired where version = 1`,
      /a newer release wrote version 3 \(form 2/,
    ],
    [
      'locked away',
      'alter table pve_reconciler_desired rename column document to text',
      /not that of this release/,
    ],
  ])('the table is %s: what was read stays, and nothing is destroyed', async (_, statement, fault) => {
    await put([web]);
    await put([web, old]);
    const daemon = begin(true);
    await isThere('old');
    await ask(statement);
    await says(daemon, 'Bad desired state: the last good one is kept');
    expect(await faultOf(daemon)).toMatch(fault);
    await new Promise(resolve => setTimeout(resolve, 1_000));
    expect([lab.guests('web').length, lab.guests('old').length]).toEqual([1, 1]);
    await daemon.stop();
    await ask('drop table if exists pve_reconciler_desired');
  });

  test('the table is taken away between a look for it and a read or a write: it is not there, and nothing is stored', async () => {
    await put([web]);
    await atStore(place, async store => {
      await ask('drop table pve_reconciler_desired');
      expect([await store.read(), await store.newest(), await store.history()]).toEqual([
        undefined,
        undefined,
        [],
      ]);
    });
    await put([web]);
    const stored = atStore(place, async store => {
      await ask('drop table pve_reconciler_desired');
      await store.makeTable();
      return store.add(1, { document: Buffer.from('{}'), by: 'eve@other', why: undefined });
    });
    await expect(stored).rejects.toThrow(
      /pve_reconciler_desired was taken away meanwhile, and nothing was stored/,
    );
  });

  test('after a restore and a restart, what the older version lacks is not pruned, whatever the source is called', async () => {
    await put([web]);
    await put([web, old]);
    const named = { PVE_SOURCE: 'team-a' };
    const before = begin(true, named);
    await isThere('old');
    await before.stop();
    await ask('delete from pve_reconciler_desired where version = 2');
    const daemon = begin(true, named);
    const message = 'Orphan: nothing asks for it any more';
    await says(daemon, message);
    expect(daemon.said(message)[0]?.['remedy']).toContain('may have brought an older database back');
    await new Promise(resolve => setTimeout(resolve, 1_500));
    expect(lab.guests('old').length).toBe(1);
    await daemon.stop();
  });

  test('another set that a newer release wrote is no fault of this one', async () => {
    await put([web]);
    await ask(`insert into pve_reconciler_desired select 'other', 1, 2, now(), 'eve@other', null, document
      from pve_reconciler_desired where name = 'set-${sets}'`);
    await put([web, old]);
    const daemon = begin();
    await isThere('old');
    await daemon.stop();
    await ask('drop table pve_reconciler_desired');
  });

  test('a cluster that is taken over waits while what is stored cannot be known, whatever the reason', async () => {
    await put([web]);
    const daemon = lab.start({ spec: [place], lease: postgres.url });
    await says(daemon, 'Started the daemon');
    await ask('update pve_reconciler_desired set form = 2');
    await says(daemon, 'Holds the lease');
    await says(daemon, 'Bad desired state: the last good one is kept');
    await new Promise(resolve => setTimeout(resolve, 1_500));
    expect(lab.writes()).toEqual([]);
    await ask('update pve_reconciler_desired set form = 1');
    await isThere('web');
    await daemon.stop();
  });
}
