import { createHash } from 'node:crypto';
import type { Asking } from '../../support/cluster/ask';
import { ask } from '../../support/cluster/ask';
import type { OpenCluster } from '../../support/cluster/open-cluster';
import { openCluster } from '../../support/cluster/open-cluster';
import { twoNodeWorld } from '../../support/cluster/two-node-world';

const WORLD = {
  storages: [
    { storage: 'local', type: 'dir', path: '/var/lib/vz', content: 'images,iso,vztmpl,import' },
    { storage: 'thin', type: 'lvmthin', content: 'images' },
    { storage: 'tiny', type: 'dir', path: '/tiny', content: 'iso', total: 100 },
  ],
  volumes: [],
  downloads: {
    'https://images.test/cloud.qcow2': { size: 700, virtualSize: 3 * 1024 ** 3 },
    'https://images.test/boots.qcow2': { size: 700, virtualSize: 3 * 1024 ** 3, system: { bootMs: 0 } },
    'https://images.test/seed.iso': { size: 5, text: 'hello' },
  },
};

let cluster: OpenCluster;
beforeEach(async () => {
  cluster = await openCluster({ world: twoNodeWorld(WORLD) });
});
afterEach(() => cluster.close());

const BOUNDARY = 'line-between';

function multipart(fields: [string, string][], filename: string, data: Buffer): Buffer {
  const head = fields.map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="filename"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return Buffer.concat([Buffer.from(head.join('') + file), data, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

const options = (fields: [string, string][], filename: string, data: Buffer) => ({
  headers: { ...cluster.root, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  body: multipart(fields, filename, data),
});
const uploaded = async (path: string, asking: Asking) =>
  cluster.ended((await ask(cluster.simulator, 'POST', path, asking)).data as string);
const UPLOAD = '/nodes/pve1/storage/local/upload';
const upload = (content: string, filename: string, data: Buffer, more: [string, string][] = []) =>
  uploaded(UPLOAD, options([['content', content], ...more], filename, data));

function qcow2(virtualSize: bigint, backing = 0n): Buffer {
  const header = Buffer.alloc(512);
  header.write('QFI\xfb', 'latin1');
  header.writeUInt32BE(3, 4);
  header.writeBigUInt64BE(backing, 8);
  header.writeBigUInt64BE(virtualSize, 24);
  return header;
}

function tar(name: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name);
  header.write('00000000000\0', 124);
  header.write('ustar\0', 257);
  return Buffer.concat([header, Buffer.alloc(1024)]);
}

const found = (volid: string) => cluster.world.volumes.find(volume => volume.volid === volid);

it('through another node may end in a 500 with an empty text, where a fault says so; tried again there is one file', async () => {
  const fault = {
    ...{ methods: ['POST'], path: '/nodes/pve2/storage/*/upload', count: 1 },
    effect: { kind: 'gateway', status: 500, text: '' },
  };
  expect((await ask(cluster.simulator, 'POST', '/_sim/faults', { json: fault })).status).toBe(200);
  const path = '/nodes/pve2/storage/local/upload';
  const asking = options([['content', 'iso']], 'far.iso', Buffer.alloc(10));
  // behaviour.md §16.6
  const first = await ask(cluster.simulator, 'POST', path, asking);
  expect(first).toMatchObject({ status: 500, reason: '', text: '' });
  expect(found('local:iso/far.iso')).toBeUndefined();
  expect((await uploaded(path, asking)).exitstatus).toBe('OK');
  expect(cluster.world.volumes.filter(({ volid }) => volid === 'local:iso/far.iso')).toHaveLength(1);
});

describe('an upload', () => {
  it('reads the size of the disk from a qcow2 file', async () => {
    expect(await upload('import', 'cloud.qcow2', qcow2(5n * 1024n ** 3n))).toMatchObject({
      exitstatus: 'OK',
      type: 'imgcopy',
      id: '',
    });
    expect(found('local:import/cloud.qcow2')).toMatchObject({
      format: 'qcow2',
      size: 5 * 1024 ** 3,
      filesize: 512,
    });
    const params = { vmid: '100', scsi0: 'thin:0,import-from=local:import/cloud.qcow2' };
    await cluster.run('POST', '/nodes/pve1/qemu', params);
    const { json: body } = await cluster.request('GET', '/nodes/pve1/qemu/100/config');
    expect(body.data.scsi0).toBe('thin:vm-100-disk-0,size=5G');
  });

  it('keeps the bytes of a small ISO image', async () => {
    const data = Buffer.from([0, 1, 2, 250, 255]);
    await upload('iso', 'seed.iso', data);
    expect(Buffer.from(found('local:iso/seed.iso')?.text ?? '', 'latin1')).toEqual(data);
  });

  it('cleans the name and writes over the older file', async () => {
    await upload('iso', 'my image(1).ISO', Buffer.alloc(10));
    await upload('iso', 'my image(1).ISO', Buffer.alloc(20));
    const volumes = cluster.world.volumes.map(({ volid, size }) => [volid, size]);
    expect(volumes).toEqual([['local:iso/my_image_1_.ISO', 20]]);
  });

  it.each<[string, string, Buffer, RegExp]>([
    ['import', 'a.qcow2', Buffer.alloc(512), /^qemu-img: Could not open '.*': Image is not in qcow2 format$/],
    ['import', 'a.qcow2', qcow2(1n, 8n), /^backing file not allowed for untrusted image '.*'!$/],
    ['iso', 'a.iso', qcow2(1n, 8n), /^backing file not allowed for untrusted image '.*'!$/],
    ['import', 'a.vmdk', Buffer.alloc(512), /^qemu-img: Could not open '.*': Image is not in vmdk format$/],
    ['import', 'a.ova', tar('disk.vmdk'), /^ova archive has no \.ovf file inside$/],
    ['import', 'a.ova', Buffer.alloc(600, 1), /^command 'tar -t -f .*' failed: exit code 2$/],
  ])('fails its task for a bad %s %s', async (content, name, data, exitstatus) => {
    expect((await upload(content, name, data)).exitstatus).toMatch(exitstatus);
    expect(cluster.world.volumes).toEqual([]);
  });

  it('takes an OVA archive with a description in it', async () => {
    expect((await upload('import', 'a.ova', tar('machine.ovf'))).exitstatus).toBe('OK');
    expect(found('local:import/a.ova')?.format).toBe('ova');
  });

  it('checks the checksum', async () => {
    const data = Buffer.from('hello');
    const sha1 = createHash('sha1').update(data).digest('hex');
    const with_ = (checksum: string): [string, string][] => [
      ['checksum-algorithm', 'sha1'],
      ['checksum', checksum],
    ];
    expect((await upload('iso', 'a.iso', data, with_(sha1.toUpperCase()))).log).toContain(
      'calculating checksum...OK, checksum verified',
    );
    expect((await upload('iso', 'b.iso', data, with_('00'))).exitstatus).toBe(
      `checksum mismatch: got '${sha1}' != expect '00'`,
    );
    expect(found('local:iso/b.iso')).toBeUndefined();
  });

  it.each([
    [UPLOAD, 'iso', 'a.txt', 'wrong file extension'],
    [UPLOAD, 'import', 'a.iso', 'invalid filename or wrong extension'],
    [UPLOAD, 'vztmpl', 'a.iso', 'wrong file extension'],
  ])('refuses at %s for %s the name %s', async (path, content, name, why) => {
    const { status, json: body } = await ask(
      cluster.simulator,
      'POST',
      path,
      options([['content', content]], name, Buffer.alloc(1)),
    );
    expect([status, body.errors]).toEqual([400, { filename: why }]);
  });

  it.each<[string, [string, string][]]>([
    [
      'an unknown field',
      [
        ['content', 'iso'],
        ['tmpfilename', '/var/tmp/pveupload-0'],
      ],
    ],
    [
      'the checksum first',
      [
        ['checksum', '00'],
        ['checksum-algorithm', 'sha1'],
        ['content', 'iso'],
      ],
    ],
  ])('gives up without a word on %s', async (_what, fields) => {
    const {
      status,
      reason,
      json: body,
    } = await ask(cluster.simulator, 'POST', UPLOAD, options(fields, 'a.iso', Buffer.alloc(1)));
    expect([status, reason, body]).toEqual([400, 'Bad Request', undefined]);
  });

  it('fails its task where there is no space', async () => {
    const body = options([['content', 'iso']], 'a.iso', Buffer.alloc(101));
    const { exitstatus } = await uploaded('/nodes/pve1/storage/tiny/upload', body);
    expect(exitstatus).toMatch(/^import failed: .* No space left on device$/);
    expect(found('tiny:iso/a.iso')).toBeUndefined();
  });

  it('refuses a storage without files', async () => {
    const path = '/nodes/pve1/storage/thin/upload';
    const { reason } = await ask(
      cluster.simulator,
      'POST',
      path,
      options([['content', 'iso']], 'a.iso', Buffer.alloc(1)),
    );
    expect(reason).toBe("can't upload to storage type 'lvmthin'");
  });
});

describe('a download', () => {
  const path = '/nodes/pve1/storage/local/download-url';
  const download = (params: Record<string, string>) => cluster.run('POST', path, params);

  it('takes what the world has at the address', async () => {
    const params = { url: 'https://images.test/cloud.qcow2', content: 'import', filename: 'cloud.qcow2' };
    const { exitstatus, type, id, log } = await download(params);
    expect([exitstatus, type, id]).toEqual(['OK', 'download', 'cloud.qcow2']);
    expect(log.at(-2)).toBe(
      "download of 'https://images.test/cloud.qcow2' to '/var/lib/vz/import/cloud.qcow2' finished",
    );
    expect(found('local:import/cloud.qcow2')).toMatchObject({ size: 3 * 1024 ** 3, filesize: 700 });
    expect((await download(params)).exitstatus).toBe(
      "refusing to override existing file '/var/lib/vz/import/cloud.qcow2'",
    );
  });

  it.each([
    ['boots.qcow2', 'running'],
    ['cloud.qcow2', 'nothing'],
  ])('brings what boots from a disk made of it: %s', async (filename, state) => {
    await download({ url: `https://images.test/${filename}`, content: 'import', filename });
    const params = { vmid: '100', agent: '1', scsi0: `thin:0,import-from=local:import/${filename}` };
    await cluster.run('POST', '/nodes/pve1/qemu', params);
    await cluster.run('POST', '/nodes/pve1/qemu/100/status/start');
    const { reason } = await cluster.request('POST', '/nodes/pve1/qemu/100/agent/ping');
    expect(reason).toBe(state === 'running' ? 'OK' : 'QEMU guest agent is not running');
    const { exitstatus } = await cluster.run('POST', '/nodes/pve1/qemu/100/status/shutdown', {
      timeout: '1',
    });
    expect(exitstatus).toBe(state === 'running' ? 'OK' : 'VM quit/powerdown failed - got timeout');
  });

  it('does not fetch again what is there with the right checksum', async () => {
    const checksum = createHash('sha256').update('hello').digest('hex');
    const params = {
      url: 'https://images.test/seed.iso',
      content: 'iso',
      filename: 'seed.iso',
      'checksum-algorithm': 'sha256',
    };
    expect((await download({ ...params, checksum })).exitstatus).toBe('OK');
    expect((await download({ ...params, checksum })).log).toContain(
      'calculating checksum of existing file...OK, got correct file already, no need to download',
    );
    expect((await download({ ...params, checksum: '00' })).exitstatus).toBe(
      `mismatch (got '${checksum}' != expect '00'), aborting`,
    );
  });

  it.each([
    [
      'http://127.0.0.1:9/x.iso',
      /^download failed: Connecting to 127\.0\.0\.1:9\.\.\. failed: Connection refused\.$/,
    ],
    ['http://no.test/x.iso', /^download failed: wget: unable to resolve host address 'no\.test'$/],
    ['https://images.test/no.iso', /^download failed: .* ERROR 404: Not Found\.$/],
  ])('fails for %s', async (url, exitstatus) => {
    expect((await download({ url, content: 'iso', filename: 'x.iso' })).exitstatus).toMatch(exitstatus);
    expect(cluster.world.volumes).toEqual([]);
  });

  it('tells before what stands at an address', async () => {
    const ask = async (url: string) => {
      const {
        status,
        reason,
        json: body,
      } = await cluster.request('GET', '/nodes/pve1/query-url-metadata', { url });
      return status === 200 ? body.data : reason;
    };
    expect(await ask('https://images.test/seed.iso')).toMatchObject({ filename: 'seed.iso', size: 5 });
    expect(await ask('https://images.test/no.iso')).toBe("invalid server response: '404 Not Found'");
  });
});
