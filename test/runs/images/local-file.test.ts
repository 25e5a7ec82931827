import { mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { multipartForm } from '../../../reconciler/pve/http/form';
import { runLine } from '../../reconciler/walk/live';
import { programAccess } from '../../support/cluster/program-access';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import { parseDesiredState } from '../../../spec';
import { administratorOf } from '../../support/cluster/administrator';
import { marked, writes } from '../../support/cluster/end-state';
import { qcow2, sha256 } from '../../support/cluster/image-server';
import { numbersBelow } from '../../support/in-parallel';
import {
  desired,
  desiredJson,
  errorsOf,
  lab,
  labWorld,
  type Json,
  type Lab,
} from '../../support/cluster/lab';

const disk = qcow2(2 ** 31);
const checksum = sha256(disk);
const UPLOADED = new RegExp(`^shared:import/pvr-${checksum.replace(':', '-')}-[0-9a-f]{8}\\.qcow2$`);
let cluster: Lab;
let folder: string;
let file: string;
let acts: { line: RegExp; act: () => Promise<unknown> } | undefined;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'images-'));
  file = path.join(folder, 'disk.qcow2');
  writeFileSync(file, disk);
  acts = undefined;
  cluster = await lab({ before });
});
afterEach(async () => {
  expect(brokenInvariants(cluster.simulator.sim)).toEqual([]);
  await cluster.close();
  rmSync(folder, { recursive: true });
});

async function before({ method, path: at }: { method: string; path: string }): Promise<void> {
  if (!acts?.line.test(`${method} ${at}`)) return;
  const { act } = acts;
  acts = undefined;
  await act();
}
const machine = (id: string, image: Json = {}): Json => ({
  ...{ id, power: 'stopped', image: { file, checksum, ...image } },
  disks: [{ name: 'root', storage: 'local-lvm' }],
});
const bring = async (...machines: Json[]) => errorsOf(await cluster.run(desired(machines)));
const imports = () =>
  cluster.world.volumes.filter(({ content }) => content === 'import').map(({ volid }) => volid);
const uploads = () =>
  cluster.simulator.ledger.entries().filter(({ path: at }) => at.endsWith('/upload')).length;

test('five machines of a local file: one upload, told as it goes; the next run does nothing', async () => {
  const all = numbersBelow(5).map(index => machine(`m${index}`));
  expect(await bring(...all)).toEqual([]);
  expect([uploads(), imports()]).toEqual([1, [expect.stringMatching(UPLOADED)]]);
  expect(marked(cluster.world, 'm4')[0]?.config['scsi0']).toContain('size=2G');
  const told = cluster.events.flatMap(event => (event.kind === 'progress' ? [event.text] : []));
  expect(told).toContain(`uploading ${file} to shared: 100 % of 1 MiB`);
  cluster.simulator.ledger.reset();
  expect(await bring(...all, machine('late'))).toEqual([]);
  expect([uploads(), marked(cluster.world, 'late').length]).toEqual([0, 1]);
  cluster.simulator.ledger.reset();
  expect(await bring(...all)).toEqual([]);
  expect(writes(cluster.simulator)).toEqual([]);
});

test('a plan tells no name that its apply would not use: what is drawn at the upload stands as *', async () => {
  const plan = async (id: string) => {
    const text = JSON.stringify(desiredJson([machine(id)]));
    const { out } = await runLine(['plan', '--spec', '-', '--json'], programAccess(cluster.simulator), text);
    return out;
  };
  const drawn = new RegExp(`pvr-${checksum.replace(':', '-')}-([^.]+)\\.qcow2`, 'g');
  const endings = (out: string): (string | undefined)[] => [...out.matchAll(drawn)].map(([, name]) => name);
  expect(endings(await plan('web'))).toEqual(['*', '*', '*']);
  await bring(machine('web'));
  const [, used] = drawn.exec(imports()[0] ?? '') ?? [];
  expect(used).toMatch(/^[0-9a-f]{8}$/);
  expect(new Set(endings(await plan('late')))).toEqual(new Set([used]));
});

test('an image is made ready of a local file, and machines are cloned from it', async () => {
  const images = [{ name: 'debian', file, checksum, diskStorage: 'shared' }];
  const clone = { id: 'web', image: { machine: 'debian' }, power: 'stopped' };
  const parsed = parseDesiredState({ ...desiredJson([clone]), images });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  expect(errorsOf(await cluster.run(parsed.value))).toEqual([]);
  expect([uploads(), marked(cluster.world, 'web').length]).toEqual([1, 1]);
});

test.each<[string, () => Json, string]>([
  ['one that is missing', () => ({ file: `${folder}/gone.qcow2` }), 'gone.qcow2 is not there. It is read on'],
  ['a folder', () => ({ file: `${folder}/f.raw` }), 'f.raw is no file'],
  ['another content', () => ({ checksum: `sha256:${'0'.repeat(64)}` }), `hashes to ${checksum}, and`],
  ['no place', () => ({ storage: 'local-lvm' }), 'does not allow the content "import"; these allow "import"'],
])('%s is refused before the first write', async (_, image, says) => {
  mkdirSync(path.join(folder, 'f.raw'));
  const errors = (await bring(machine('web', image()))).join('\n');
  expect(errors).toContain(says);
  expect(errors).toContain('Nothing was changed.');
  expect([writes(cluster.simulator), imports()]).toEqual([[], []]);
});

test('a storage that is too small is refused before the first write', async () => {
  await cluster.close();
  const world = labWorld();
  for (const each of world.storages) each.total = 1;
  cluster = await lab({ world });
  expect((await bring(machine('web'))).join('\n')).toMatch(/has 1 MiB, and .*shared has 0 MiB left/);
  expect(writes(cluster.simulator)).toEqual([]);
});

test('two runs at once end alike, and neither writes the file of the other', async () => {
  const all = [machine('a'), machine('b')];
  expect((await Promise.all([bring(...all), bring(...all)])).flat()).toEqual([]);
  expect(new Set(imports()).size).toBe(uploads());
  expect([marked(cluster.world, 'a').length, marked(cluster.world, 'b').length]).toEqual([1, 1]);
});

test('somebody removes the file between the upload and the import: it is uploaded again, under another name', async () => {
  const removed: string[] = [];
  acts = {
    line: /^POST \/nodes\/pve\d\/qemu$/,
    act: async () => {
      removed.push(...imports());
      await administratorOf(cluster)('DELETE', `/nodes/pve1/storage/shared/content/${removed[0]}`);
    },
  };
  expect(await bring(machine('web'))).toEqual([]);
  expect([uploads(), marked(cluster.world, 'web').length]).toEqual([2, 1]);
  expect(imports()).not.toEqual(removed);
});

test('a shorter file of that name, which somebody is still copying, is not taken', async () => {
  const name = `shared:import/pvr-${checksum.replace(':', '-')}-00000000.qcow2`;
  expect(await bring(machine('web'))).toEqual([]);
  const [whole] = cluster.world.volumes.filter(({ content }) => content === 'import');
  whole!.volid = name;
  whole!.filesize = 100;
  expect(await bring(machine('db'))).toEqual([]);
  expect([uploads(), imports().length]).toEqual([2, 2]);
});

test('a copy beside the one that is used is named by gc, and removed', async () => {
  const web = { ...machine('web', { storage: 'local' }), node: 'pve1' };
  expect(await bring(web)).toEqual([]);
  const [whole] = cluster.world.volumes.filter(({ content }) => content === 'import');
  const copy = `local:import/pvr-${checksum.replace(':', '-')}-00000000.qcow2`;
  cluster.world.volumes.push({ ...whole!, volid: copy, filesize: 100 });
  const { out } = await runLine(
    ['gc', '--spec', '-', '--yes'],
    programAccess(cluster.simulator),
    JSON.stringify(desiredJson([web])),
  );
  expect(out).toBe(`${copy} on pve1: nothing used it, removed.\n`);
  expect(imports()).toEqual([whole?.volid]);
});

test.each(['done', 'not-done'] as const)(
  'the answer to the upload is lost (%s): the next run ends well',
  async work => {
    cluster.simulator.faults.add({
      ...{ path: '/nodes/*/storage/*/upload', count: 1 },
      effect: { kind: 'reset', work },
    });
    await bring(machine('web'));
    expect(await bring(machine('web'))).toEqual([]);
    expect(marked(cluster.world, 'web')).toHaveLength(1);
    expect(imports()).toHaveLength(1);
  },
);

test('the file is read in parts while it is sent, and its length is told before', async () => {
  truncateSync(file, 8_000_000);
  let told = 0;
  const { headers, body } = multipartForm(
    { content: 'import' },
    { name: 'a.qcow2', path: file, bytes: statSync(file).size, sent: bytes => (told = bytes) },
  );
  if (!('open' in body)) throw new Error('it is one buffer');
  const lengths: number[] = [];
  for await (const part of body.open()) lengths.push(part.length);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(Number(headers['content-length']));
  expect([Math.max(...lengths) <= 2 ** 18, told]).toEqual([true, 8_000_000]);
});
