import { Client } from 'pg';
import { noPostgres, startPostgres, type Postgres } from '../../support/lease/postgres';
import { run } from '../../support/processes/cli';
import { skipped } from '../../support/skipped';

const yaml = (...machines: string[]): string =>
  `version: 1\nowner: team/lab\ncluster: { name: lab }\nmachines:\n${machines.map(text => `  - ${text}\n`).join('')}`;
const DATA = 'disks: [{ name: root, size: 1Gi }, { name: data, size: 1Gi, onRemove: delete }]';
const DB = `{ id: db, image: { blank: true }, ${DATA} }`;
const WEB = '{ id: web, image: { blank: true } }';

const why = noPostgres();
if (why !== undefined) skipped('put with a text that loses something', why);
else {
  let postgres: Postgres;
  let sets = 0;
  let place: string;
  const put = (text: string, ...more: string[]) => run(['put', '-', '--spec', place, ...more], {}, text);
  const get = (...more: string[]) => run(['get', '--spec', place, ...more]);

  beforeAll(async () => (postgres = await startPostgres()));
  afterAll(() => postgres?.close());
  beforeEach(() => {
    sets += 1;
    place = `${postgres.url}#asks-${sets}`;
  });

  test('a text that was made from an older version is not stored with --after', async () => {
    expect(await put(yaml(WEB), '--after', '1')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /--after 1 says .* no version is there\. Nothing was stored\..*--after 0/,
      ) as string,
    });
    expect(await put(yaml(WEB), '--after', '0')).toMatchObject({ code: 0 });
    const old = await get();
    expect(old).toMatchObject({ code: 0, stdout: yaml(WEB) });
    expect(old.stderr).toMatch(/This is version 1 of .*put --after 1/);
    expect(await put(yaml(WEB, DB), '--after', '1')).toMatchObject({ code: 0 });
    const edited = yaml('{ id: web, image: { blank: true }, memory: 2Gi }');
    const refused = await put(edited, '--yes', '--after', '1');
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toMatch(
      /the newest version is 2, which \S+@\S+ has stored\. Nothing was stored\. Compare get --version 1 with get/,
    );
    const [, again = ''] = /run put again with (--after \d+): that is safe/.exec(refused.stderr) ?? [];
    const brought = yaml('{ id: web, image: { blank: true }, memory: 2Gi }', DB);
    expect(await put(brought, ...again.split(' '))).toMatchObject({ code: 0 });
    // what was stored already is so: an answer that was lost is no reason to refuse
    expect((await put(brought, ...again.split(' '))).stdout).toContain('Nothing has changed: version 3');
    expect((await get()).stdout).toBe(brought);
  });

  test.each<[what: string, was: string, is: string, says: string]>([
    [
      'a disk whose volume is deleted',
      DB,
      '{ id: db, image: { blank: true }, disks: [{ name: root, size: 1Gi }] }',
      'loses its disk data with its volume (onRemove: delete)',
    ],
    [
      'a machine that goes back',
      WEB,
      '{ id: web, image: { blank: true }, revertTo: clean#2 }',
      'goes back to snapshot clean, and loses what its disks got since',
    ],
    [
      'another image, and a rebuild',
      '{ id: web, image: { template: one }, onImageChange: rebuild }',
      '{ id: web, image: { template: two }, onImageChange: rebuild }',
      'may be destroyed with its disks and made anew (image)',
    ],
    [
      'a field that rebuildOn names, under another id',
      '{ id: web, image: { blank: true }, bios: seabios }',
      '{ id: new, formerIds: [web], image: { blank: true }, bios: ovmf, rebuildOn: [bios, tpm] }',
      'may be destroyed with its disks and made anew (bios)',
    ],
    [
      'fewer snapshots from before changes',
      '{ id: web, image: { blank: true }, snapshotBeforeChange: { keep: 3 } }',
      '{ id: web, image: { blank: true }, snapshotBeforeChange: true }',
      'loses its older snapshots from before changes (keep: 1, it was 3)',
    ],
    [
      'cloud-init data that formats',
      '{ id: web, image: { blank: true }, cloudInit: { user: one } }',
      '{ id: web, image: { blank: true }, cloudInit: { user: one, userData: { fs_setup: [{ device: /dev/vdb, partition: none }] } } }',
      'may lose what fs_setup of its cloud-init data may write over',
    ],
  ])('it asks for what is lost: %s', async (_, was, is, says) => {
    expect(await put(yaml(was))).toMatchObject({ code: 0 });
    const asked = await put(yaml(is));
    expect({ code: asked.code, stdout: asked.stdout }).toMatchObject({ code: 2 });
    expect(asked.stdout).toContain(`\n    it ${says}\n`);
    expect(asked.stderr).toContain(
      `${says}. A daemon does so without asking. Nobody can be asked here: add --yes.`,
    );
    expect((await get()).stdout).toBe(yaml(was));
    const stored = await put(yaml(is), '--yes', '--json');
    expect(JSON.parse(stored.stdout)).toMatchObject({ isStored: true, differences: [{ loses: [says] }] });
  });

  test('it asks where the newest version cannot be read: nobody knows what leaves', async () => {
    await put(yaml(WEB));
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    const broken = `update pve_reconciler_desired set document = 'version: 0' where name = $1`;
    await client.query(broken, [`asks-${sets}`]).finally(() => client.end());
    expect(await put(yaml(DB))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'It is not known which machines leave. Nobody can be asked here',
      ) as string,
    });
    expect(await put(yaml(DB), '--yes')).toMatchObject({ code: 0 });
  });

  test('it asks nothing where nothing is lost', async () => {
    const text = (more: string): string => yaml(`{ id: web, ${more} }`);
    for (const more of [
      `image: { template: one }, ${DATA}, revertTo: clean`,
      `image: { template: two }, ${DATA}, revertTo: clean`,
      'image: { template: two }, onImageChange: rebuild, rebuildOn: [bios]',
      'image: { template: two }, disks: [{ name: root, size: 1Gi }, { name: data, size: 1Gi }]',
      'image: { template: two }, disks: [{ name: root, size: 1Gi }]',
      'image: { template: two }, snapshotBeforeChange: { keep: 2 }',
      'image: { template: two }, snapshotBeforeChange: { keep: 3 }',
      'image: { template: two }, cloudInit: { userData: { runcmd: [ls] } }',
    ])
      expect(await put(text(more), '--json')).toMatchObject({ code: 0, stderr: '' });
  });

  test('it asks for data that formats only where the guest becomes another instance', async () => {
    const text = (card: string, more = ''): string =>
      yaml(
        `{ id: web, image: { blank: true }, networks: [{ name: lan, ${card} }], cloudInit: { ${more}userData: { fs_setup: [{ device: /dev/vdb, partition: none }] } } }`,
      );
    const where = 'storage: shared, ';
    expect(await put(text('bridge: vmbr0'), '--yes')).toMatchObject({ code: 0 });
    expect(await put(text('bridge: vmbr1, vlan: 5'))).toMatchObject({ code: 0, stderr: '' });
    expect(await put(text('bridge: vmbr1', where))).toMatchObject({ code: 0, stderr: '' });
    expect(await put(text('bridge: vmbr1, ipv4: dhcp', where))).toMatchObject({ code: 2 });
  });
}
