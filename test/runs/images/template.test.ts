import { brokenInvariants } from '../../../simulator/invariants/broken';
import { administratorOf } from '../../support/cluster/administrator';
import { marked, writes } from '../../support/cluster/end-state';
import { imageServer, qcow2, sha256, type ImageServer } from '../../support/cluster/image-server';
import { numbersBelow } from '../../support/in-parallel';
import type { Json, Lab } from '../../support/cluster/lab';
import { desired, errorsOf, lab } from '../../support/cluster/lab';
import { until } from '../../support/processes/shared-lab';

const disk = qcow2(2 ** 31);
let cluster: Lab;
let server: ImageServer;
beforeEach(async () => {
  server = await imageServer({ '/debian.qcow2': disk });
  cluster = await lab();
});
afterEach(async () => {
  expect(brokenInvariants(cluster.simulator.sim)).toEqual([]);
  await cluster.close();
  await server.close();
});

const template = (fields: Json = {}): Json => ({
  ...{ id: 'debian', asTemplate: true, disks: [{ name: 'root', storage: 'shared', size: '3Gi' }] },
  ...{ image: { url: server.url('/debian.qcow2'), checksum: sha256(disk) }, ...fields },
});
const clone = (index: number): Json => ({ id: `m${index}`, image: { machine: 'debian' }, power: 'stopped' });
const bring = async (...machines: Json[]) => errorsOf(await cluster.run(desired(machines)));

test('twenty machines of one image: one download, one template, twenty linked clones on all nodes', async () => {
  const all = [...numbersBelow(20).map(clone), template()];
  expect(await bring(...all)).toEqual([]);
  const [base] = marked(cluster.world, 'debian');
  expect(base).toMatchObject({ vmid: 99_999, config: { template: '1' } });
  const clones = numbersBelow(20).flatMap(index => marked(cluster.world, `m${index}`));
  expect(clones).toHaveLength(20);
  expect(clones.filter(({ config }) => !config['scsi0']?.includes('base-99999'))).toEqual([]);
  expect(new Set(clones.map(({ node }) => node)).size).toBeGreaterThan(1);
  expect(server.downloads()).toBe(1);
  cluster.simulator.ledger.reset();
  expect(await bring(...all)).toEqual([]);
  expect(writes(cluster.simulator)).toEqual([]);
});

test('two runs at once make one template', async () => {
  const all = [template(), clone(0)];
  expect((await Promise.all([bring(...all), bring(...all)])).flat()).toEqual([]);
  expect([marked(cluster.world, 'debian').length, marked(cluster.world, 'm0').length]).toEqual([1, 1]);
});

test('a template is destroyed when its clones are gone', async () => {
  expect(await bring(template(), clone(0))).toEqual([]);
  const base = cluster.destroy('debian');
  await cluster.destroy('m0');
  expect(await base).toBe('destroyed');
  expect(marked(cluster.world, 'debian')).toEqual([]);
});

test('a template with a disk that Proxmox did not rename is finished', async () => {
  const { disks: [root] = [] } = template() as { disks?: Json[] };
  const two = template({ disks: [root, { name: 'data', storage: 'shared', size: '1Gi' }] });
  expect(await bring(two)).toEqual([]);
  const [base] = marked(cluster.world, 'debian');
  const renamed = base!.config['scsi1']!;
  const [volid = ''] = renamed.split(',');
  cluster.world.volumes.find(volume => volume.volid === volid)!.volid = volid.replace('base-', 'vm-');
  base!.config['scsi1'] = renamed.replace('base-', 'vm-');
  expect(await bring(two)).toEqual([]);
  expect(marked(cluster.world, 'debian')[0]?.config['scsi1']).toBe(renamed);
  cluster.simulator.ledger.reset();
  expect(await bring(two)).toEqual([]);
  expect(writes(cluster.simulator)).toEqual([]);
});

test('a volume of somebody else in a template keeps its name', async () => {
  expect(await bring(template(), { ...clone(0), disks: undefined })).toEqual([]);
  const [base] = marked(cluster.world, 'debian');
  const [theirs] = marked(cluster.world, 'm0');
  base!.config['scsi7'] = theirs!.config['scsi0']!;
  cluster.simulator.ledger.reset();
  expect(await bring(template())).toEqual([]);
  expect(writes(cluster.simulator)).toEqual([]);
  delete base!.config['scsi7'];
});

test('what would change the disks of a template is refused', async () => {
  expect(await bring(template())).toEqual([]);
  const disks = [{ name: 'root', storage: 'shared', size: '9Gi' }];
  expect((await bring(template({ disks }))).join('\n')).toContain(
    'VM 99999 is a template, and what is wanted of it would take a resize.',
  );
  expect(await bring(template({ description: 'for all' }))).toEqual([]);
});

test('a template is not destroyed while somebody else has a linked clone of it, nor made anew', async () => {
  expect(await bring(template())).toEqual([]);
  const ask = administratorOf(cluster);
  const [base] = marked(cluster.world, 'debian');
  expect(await ask('POST', `/nodes/${base?.node}/qemu/99999/clone`, { newid: '700', full: '0' })).toBe(true);
  expect(await ask('PUT', `/nodes/${base?.node}/qemu/700/config`, { delete: 'tags,description' })).toBe(true);
  await expect(cluster.destroy('debian')).rejects.toThrow('linked clones of it: 700');
  const other = { image: { blank: true }, rebuildOn: ['image'] };
  expect(await bring(template(other))).not.toEqual([]);
  expect(marked(cluster.world, 'debian')).toHaveLength(1);
});

test('a linked clone that somebody made by hand carries our tags and mark, and is told all the same', async () => {
  expect(await bring(template(), clone(0))).toEqual([]);
  const [base] = marked(cluster.world, 'debian');
  const form = { newid: '700', full: '0' };
  expect(await administratorOf(cluster)('POST', `/nodes/${base?.node}/qemu/99999/clone`, form)).toBe(true);
  await expect(cluster.destroy('debian')).rejects.toThrow(/linked clones of it: 700\. Remove those first/);
});

test('one that somebody makes while the clones of ours are waited for ends the wait', async () => {
  expect(await bring(template(), clone(0))).toEqual([]);
  const [base] = marked(cluster.world, 'debian');
  const destroyed = cluster.destroy('debian');
  destroyed.catch(() => undefined);
  await until(() => cluster.events.some(({ kind }) => kind === 'progress'));
  const form = { newid: '700', full: '0' };
  expect(await administratorOf(cluster)('POST', `/nodes/${base?.node}/qemu/99999/clone`, form)).toBe(true);
  await expect(destroyed).rejects.toThrow(/linked clones of it: 700/);
});

test.each(['stopped', 'running'])(
  'a guest that is %s, with a volume of another guest, becomes no template and stays as it is',
  async power => {
    const blank = { id: 'debian', image: { blank: true }, power };
    const disks = [{ name: 'data', storage: 'shared', size: '1Gi' }];
    expect(await bring(blank, { ...blank, id: 'other', power: 'stopped', disks })).toEqual([]);
    const [[base], [other]] = [marked(cluster.world, 'debian'), marked(cluster.world, 'other')];
    const volume = /^shared:[^,]+/.exec(other?.config['scsi0'] ?? '')?.[0] ?? '';
    const at = `/nodes/${base?.node}/qemu/${base?.vmid}/config`;
    expect(await administratorOf(cluster)('PUT', at, { scsi5: volume })).toBe(true);
    cluster.simulator.ledger.reset();
    const { power: _, ...wanted } = blank;
    expect((await bring({ ...wanted, asTemplate: true })).join('\n')).toContain(volume);
    expect(writes(cluster.simulator)).toEqual([]);
    expect(cluster.world.volumes.some(({ volid }) => volid === volume)).toBe(true);
  },
);

test.each(['linked', 'full'])('a new machine is made as a %s clone and then a template', async how => {
  const machine = { id: 'golden', image: { template: 'debian-12', clone: how }, asTemplate: true };
  expect(await bring(machine)).toEqual([]);
  expect(marked(cluster.world, 'golden')).toMatchObject([{ config: { template: '1' } }]);
});
