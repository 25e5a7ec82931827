import { administratorOf, type Administrator } from '../../support/cluster/administrator';
import { imageServer, qcow2, sha256, type ImageServer } from '../../support/cluster/image-server';
import { numbersBelow } from '../../support/in-parallel';
import { marked, writes } from '../../support/cluster/end-state';
import type { Json, Lab } from '../../support/cluster/lab';
import { desired, errorsOf, lab, labWorld } from '../../support/cluster/lab';

const GiB = 2 ** 30;
const disk = qcow2(2 * GiB);
let cluster: Lab;
let server: ImageServer;
beforeEach(async () => {
  server = await imageServer({ '/debian.qcow2': disk, '/other.qcow2': qcow2(GiB, 'other') });
  cluster = await lab();
});
afterEach(async () => {
  await cluster.close();
  await server.close();
});

const image = (fields: Json = {}): Json => ({
  url: server.url('/debian.qcow2'),
  checksum: sha256(disk),
  ...fields,
});
const web = (fields: Json = {}): Json => ({
  ...{ id: 'web', image: image(), power: 'stopped' },
  ...{ disks: [{ name: 'root', storage: 'local-lvm', size: '5Gi' }], ...fields },
});
const imports = () => cluster.world.volumes.filter(({ content }) => content === 'import');
const bring = async (...machines: Json[]) => errorsOf(await cluster.run(desired(machines)));

test('an image is downloaded, imported and grown; the next run does nothing', async () => {
  expect(await bring(web())).toEqual([]);
  const [guest] = marked(cluster.world, 'web');
  expect(guest?.config['scsi0']).toMatch(/^local-lvm:vm-10000-disk-0,.*size=5G/);
  expect(imports().map(({ volid }) => volid)).toEqual([
    `shared:import/pvr-${sha256(disk).replace(':', '-')}.qcow2`,
  ]);
  cluster.simulator.ledger.reset();
  expect(await bring(web())).toEqual([]);
  expect(writes(cluster.simulator)).toEqual([]);
  expect(server.downloads()).toBe(1);
});

test('without a size the disk is as large as its image; detached by somebody, it is not made anew', async () => {
  const disks = [{ name: 'root', storage: 'local-lvm' }];
  expect(await bring(web({ disks }))).toEqual([]);
  const [guest] = marked(cluster.world, 'web');
  expect(guest?.config['scsi0']).toContain('size=2G');
  const at = `/nodes/${guest?.node}/qemu/${guest?.vmid}/config`;
  expect(await administratorOf(cluster)('PUT', at, { delete: 'scsi0' })).toBe(true);
  expect((await bring(web())).join('\n')).toContain('comes with the image and is not in scsi0');
});

test('twenty machines, and a second run while the first one downloads: one download', async () => {
  await cluster.close();
  const second: { end?: Promise<string[]> } = {};
  const all = numbersBelow(20).map(index => web({ id: `m${index}` }));
  cluster = await lab({
    taskMs: 300,
    before: ({ method, path }) => {
      if (method === 'GET' && /\/tasks\/.*:download:.*\/status$/.test(decodeURIComponent(path)))
        second.end ??= bring(...all);
    },
  });
  expect(await bring(...all)).toEqual([]);
  expect(await second.end).toEqual([]);
  const counts = all.map(({ id }) => marked(cluster.world, String(id)).length);
  expect(counts).toEqual(all.map(() => 1));
  expect(server.downloads()).toBe(1);
  const requests = writes(cluster.simulator).filter(line => line.endsWith('/download-url'));
  // the second process lets Proxmox compare the file with the checksum, unless it comes when the file is there
  expect([1, 2]).toContain(requests.length);
});

test('a wrong checksum is refused with the one that was found, and leaves nothing', async () => {
  const errors = await bring(web({ image: image({ checksum: `sha256:${'0'.repeat(64)}` }) }));
  expect(errors.join('\n')).toMatch(
    /debian\.qcow2 gives has the checksum sha256:[0-9a-f]{64}, and sha256:0{64} is/,
  );
  expect(errors.join('\n')).toContain(`set image.checksum to "${sha256(disk)}"`);
  expect([imports(), marked(cluster.world, 'web')]).toEqual([[], []]);
});

test.each([
  [
    'a vanished address',
    () => ({ url: server.url('/gone.qcow2') }),
    "gives no file to node pve1: invalid server response: '404 Not Found'.",
  ],
  ['an address where nobody listens', () => ({ url: 'http://127.0.0.1:9/a.qcow2' }), 'Connection refused'],
  [
    'a storage without such content',
    () => ({ storage: 'local-lvm' }),
    `does not allow the content "import"; these allow "import": local, shared`,
  ],
  ['a storage that is not there', () => ({ storage: 'nowhere' }), "storage 'nowhere' not found"],
])('%s is refused before the first write', async (_, fields, says) => {
  const errors = await bring(web({ image: image(fields()) }));
  expect(errors.join('\n')).toContain(says);
  expect(writes(cluster.simulator)).toEqual([]);
});

test('a cluster without any such storage is refused before the first write', async () => {
  for (const storage of cluster.world.storages) storage.content = 'images,iso';
  expect((await bring(web())).join('\n')).toContain('no storage there allows the content "import"');
  expect(writes(cluster.simulator)).toEqual([]);
});

test('a full storage is passed over, and refused where there is no other', async () => {
  await cluster.close();
  const world = labWorld();
  world.storages.filter(({ storage }) => storage === 'shared').forEach(full => (full.total = 1));
  cluster = await lab({ world });
  expect(await bring(web())).toEqual([]);
  expect(imports().map(({ storage }) => storage)).toEqual(['local']);
  expect(
    (
      await bring(
        web({
          id: 'two',
          image: image({
            storage: 'shared',
            url: server.url('/other.qcow2'),
            checksum: sha256(server.files['/other.qcow2']!),
          }),
        }),
      )
    ).join('\n'),
  ).toMatch(/and shared has 0/);
});

describe('somebody else', () => {
  const name = `pvr-${sha256(disk).replace(':', '-')}.qcow2`;
  /** A cluster where somebody acts once, directly before the first request of this line. */
  async function acting(line: RegExp, act: (admin: Administrator) => Promise<unknown>): Promise<void> {
    await cluster.close();
    let isDone = false;
    cluster = await lab({
      before: async ({ method, path }) => {
        if (isDone || !line.test(`${method} ${path}`)) return;
        isDone = true;
        await act(administratorOf(cluster));
      },
    });
  }
  const content = '/nodes/pve1/storage/shared/content';

  test('deletes the file between the download and the import: it is downloaded again', async () => {
    await acting(/^POST \/nodes\/pve\d\/qemu$/, admin => admin('DELETE', `${content}/import/${name}`));
    expect(await bring(web())).toEqual([]);
    expect(marked(cluster.world, 'web')).toHaveLength(1);
    expect(server.downloads()).toBe(2);
  });

  test('downloads the same file at the same time', async () => {
    const form = { url: server.url('/debian.qcow2'), content: 'import', filename: name };
    await acting(/^POST .*download-url$/, admin =>
      admin('POST', '/nodes/pve1/storage/shared/download-url', form),
    );
    expect(await bring(web())).toEqual([]);
    expect(server.downloads()).toBe(1);
  });

  test('has put another file where the image belongs: it is named, and nothing is touched', async () => {
    const admin = administratorOf(cluster);
    const url = server.url('/other.qcow2');
    const form = { url, content: 'import', filename: name };
    expect(await admin('POST', '/nodes/pve1/storage/shared/download-url', form)).toBe(true);
    cluster.simulator.ledger.reset();
    const errors = await bring(web());
    expect(errors.join('\n')).toContain(
      `shared:import/${name} is not the image that its name says: mismatch (got`,
    );
    expect(errors.join('\n')).toContain('pvesm free');
    expect(marked(cluster.world, 'web')).toEqual([]);
  });
});
