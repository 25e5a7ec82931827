import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import { marked, writes } from '../../support/cluster/end-state';
import { imageServer, qcow2, sha256, type ImageServer } from '../../support/cluster/image-server';
import { desired, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';

const GIB = 2 ** 30;
const small = qcow2(2 * GIB, 'small');
const large = qcow2(4 * GIB, 'large');
let cluster: Lab;
let server: ImageServer;
let folder: string;
beforeEach(async () => {
  server = await imageServer({ '/small.qcow2': small, '/large.qcow2': large });
  cluster = await lab();
  folder = mkdtempSync(path.join(tmpdir(), 'images-'));
});
afterEach(async () => {
  expect(brokenInvariants(cluster.simulator.sim)).toEqual([]);
  await cluster.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

const machine = (image: Json, size = '8Gi'): Json => ({
  ...{ id: 'web', power: 'stopped', image, rebuildOn: ['disks', 'image'] },
  disks: [{ name: 'root', storage: 'local-lvm', size }],
});
const at = (file: string, bytes: Buffer): Json => ({ url: server.url(file), checksum: sha256(bytes) });
const local = (name: string, bytes: Buffer): Json => {
  writeFileSync(path.join(folder, name), bytes);
  return { file: path.join(folder, name), checksum: sha256(bytes) };
};
const bring = async (wanted: Json) => errorsOf(await cluster.run(desired([wanted])));
const isKept = (vmid: number) => marked(cluster.world, 'web').some(guest => guest.vmid === vmid);

async function made(): Promise<number> {
  expect(await bring(machine(at('/small.qcow2', small)))).toEqual([]);
  cluster.simulator.ledger.reset();
  return marked(cluster.world, 'web')[0]!.vmid;
}

test('a machine is made anew of another image, which is fetched before the old one goes', async () => {
  await made();
  expect(await bring(machine(at('/large.qcow2', large)))).toEqual([]);
  const order = writes(cluster.simulator).filter(line => /download-url|^DELETE|qemu$/.test(line));
  expect(order.map(line => line.split(' ')[0] + (/download/.test(line) ? ' image' : ''))).toEqual([
    ...['POST image', 'DELETE', 'POST'],
  ]);
});

test.each<[string, () => Json, string]>([
  [
    'a wrong checksum',
    () => ({ ...at('/large.qcow2', large), checksum: `sha256:${'a'.repeat(64)}` }),
    'checksum',
  ],
  ['no image behind the address', () => at('/nothing.qcow2', large), 'gives no file'],
  ['a file that is no image', () => local('page.qcow2', Buffer.from('<html>')), 'is no qcow2 image'],
])('%s destroys nothing', async (_, image, said) => {
  const vmid = await made();
  expect((await bring(machine(image()))).join()).toContain(said);
  expect([isKept(vmid), writes(cluster.simulator).filter(line => /^DELETE/.test(line))]).toEqual([true, []]);
});

test.each<[string, () => Json]>([
  ['an address', () => at('/small.qcow2', small)],
  ['another address', () => at('/large.qcow2', large)],
  ['a file', () => local('disk.qcow2', large)],
])('a disk of %s that is to shrink is refused, though disks may be made anew', async (_, image) => {
  const vmid = await made();
  expect((await bring(machine(image(), '1Gi'))).join()).toMatch(/cannot shrink to 1Gi/);
  expect([isKept(vmid), writes(cluster.simulator)]).toEqual([true, []]);
});

test('a new machine whose disk is smaller than that of its file is refused before anything is sent', async () => {
  expect((await bring(machine(local('disk.qcow2', large), '1Gi'))).join()).toContain(
    'Disk "root" has 4Gi in image.file',
  );
  expect(writes(cluster.simulator)).toEqual([]);
});

test('a machine that this run made is not destroyed again', async () => {
  const wanted = machine(at('/large.qcow2', large), '1Gi');
  expect((await bring(wanted)).join()).toContain('cannot shrink');
  expect(writes(cluster.simulator).filter(line => /^DELETE/.test(line))).toEqual([]);
  const [vmid] = marked(cluster.world, 'web').map(guest => guest.vmid);
  expect((await bring(wanted)).join()).toContain('cannot shrink');
  expect(isKept(vmid!)).toBe(true);
});

test('the same bytes under two endings are two images', async () => {
  expect(await bring({ ...machine(local('disk.raw', large), '8Gi'), id: 'raw' })).toEqual([]);
  expect(await bring({ ...machine(local('disk.qcow2', large), '8Gi'), id: 'cow' })).toEqual([]);
  const names = cluster.world.volumes.filter(({ content }) => content === 'import').map(({ volid }) => volid);
  expect(names.map(name => path.extname(name)).sort()).toEqual(['.qcow2', '.raw']);
});
