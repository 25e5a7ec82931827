/**
 * What machines of a disk image ask, of an address and of a prepared image: `npx tsx bench/images.ts`. The simulator runs in
 * this process, so that only calls and bytes are told, and no time.
 */
import { defaultWorld } from '../simulator';
import { parseDesiredState } from '../spec';
import { imageServer, qcow2, sha256 } from '../test/support/cluster/image-server';
import { desiredJson, errorsOf, lab, type Json, type Lab } from '../test/support/cluster/lab';
import { numbersBelow } from '../test/support/in-parallel';

const ALL = ['pve1', 'pve2', 'pve3'];
const disk = qcow2(2 ** 31);

async function bring(cluster: Lab, document: Json): Promise<void> {
  const state = parseDesiredState(document);
  if (!state.ok) throw new Error(JSON.stringify(state.problems));
  const errors = errorsOf(await cluster.run(state.value));
  if (errors.length > 0) throw new Error(errors.join('\n'));
}

async function flow(cluster: Lab, name: string, document: Json): Promise<void> {
  cluster.simulator.ledger.reset();
  await bring(cluster, document);
  const all = cluster.simulator.ledger.entries().filter(({ path }) => !path.includes('/tasks/'));
  const writes = all.filter(({ write }) => write).length;
  const downloads = all.filter(({ path }) => path.endsWith('/download-url')).length;
  const sum = (of: 'bytesIn' | 'bytesOut'): number => all.reduce((total, entry) => total + entry[of], 0);
  const figures = [downloads, all.length, writes, sum('bytesIn'), sum('bytesOut')];
  console.log(`| ${[name, ...figures.map(value => value.toLocaleString('en'))].join(' | ')} |`);
}

async function main(): Promise<void> {
  const server = await imageServer({ '/debian.qcow2': disk });
  const source = { url: server.url('/debian.qcow2'), checksum: sha256(disk) };
  const disks = [{ name: 'root', storage: 'local-lvm' }];
  const ofAddress = (count: number): Json =>
    desiredJson(numbersBelow(count).map(index => ({ id: `m${index}`, image: source, disks })));
  const ofPrepared = (count: number, nodes: string[]): Json => ({
    ...desiredJson(numbersBelow(count).map(index => ({ id: `m${index}`, image: { machine: 'debian' } }))),
    images: [{ name: 'debian', ...source, nodes, diskStorage: 'local-lvm' }],
  });
  const flows: [string, Json, Json?][] = [
    ['create of an address', ofAddress(1)],
    ['create of an address, its file is there', ofAddress(2), ofAddress(1)],
    ['20 of an address', ofAddress(20)],
    ['20 of an address, nothing to do', ofAddress(20), ofAddress(20)],
    ['1 of a prepared image, 1 template', ofPrepared(1, ['pve1'])],
    ['20 of a prepared image, 1 template', ofPrepared(20, ['pve1'])],
    ['20 of a prepared image, 3 templates', ofPrepared(20, ALL)],
    ['the same, nothing to do', ofPrepared(20, ALL), ofPrepared(20, ALL)],
  ];
  console.log('| flow | downloads | calls | writes | bytes sent | bytes read |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const [name, wanted, before] of flows) {
    const cluster = await lab({ world: { ...defaultWorld(3), pools: {} }, taskMs: 5 });
    if (before) await bring(cluster, before);
    await flow(cluster, name, wanted);
    await cluster.close();
  }
  await server.close();
}

void main();
