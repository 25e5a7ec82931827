import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { adopt } from '../../../reconciler/commands/adopt/adopt';
import type { Options } from '../../../reconciler/input/surroundings';
import { Reporter } from '../../../reconciler/report/reporter';
import { administratorOf } from '../../support/cluster/administrator';
import { ActsOnce } from '../../support/cluster/acts-once';
import { writes } from '../../support/cluster/end-state';
import { lab, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';

let cluster: Lab;
let folder: string;
let somebody: ActsOnce;
beforeEach(async () => {
  somebody = new ActsOnce();
  cluster = await lab({ before: somebody.asked });
  folder = mkdtempSync(path.join(tmpdir(), 'state-'));
  const admin = administratorOf(cluster);
  const guest = {
    memory: '1024',
    cores: '2',
    scsi0: 'local-lvm:4',
    net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0',
  };
  await admin('POST', '/nodes/pve1/qemu', { vmid: '300', name: 'web-1', ...guest });
  await admin('POST', '/nodes/pve1/qemu', {
    vmid: '301',
    name: 'web-2',
    ...guest,
    net0: 'virtio,bridge=vmbr0',
  });
  await admin('POST', '/nodes/pve2/qemu', {
    vmid: '302',
    name: 'another',
    ...guest,
    net0: 'virtio,bridge=vmbr0',
  });
  await admin('POST', '/nodes/pve1/qemu/300/status/start');
  cluster.simulator.ledger.reset();
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await cluster.close();
});

const vm = (name: string, vmid: number, more: object = {}): object => ({
  ...{ mode: 'managed', type: 'proxmox_virtual_environment_vm', name },
  instances: [{ attributes: { vm_id: vmid, node_name: 'pve1', name: `web-${vmid - 299}`, ...more } }],
});
const state = (...resources: object[]): string => JSON.stringify({ version: 4, resources });

async function run(
  text: string,
  options: Options = {},
): Promise<{ code: number; out: string; said: string }> {
  const said: string[] = [];
  let out = '';
  const around = {
    environment: programAccess(cluster.simulator),
    readInput: () => Promise.resolve(text),
    out: (written: string) => void (out += written),
    reporter: new Reporter({ write: line => said.push(line), level: 'info', json: false }),
    signal: new AbortController().signal,
  };
  const code = await adopt(
    around,
    { fromState: '-', owner: 'team', cluster: 'lab', form: 'json', ...options },
    [],
  );
  return { code, out, said: said.join('') };
}
const machinesIn = (out: string) => (JSON.parse(out) as { machines: Record<string, unknown>[] }).machines;

test('the guests of a state become machines, with its origin and policy, and one write each', async () => {
  const clone = [{ vm_id: 9000, node_name: 'pve1', full: true }];
  const text = state(vm('front', 300, { clone, reboot_after_update: true }), vm('this', 301));
  const since = cluster.world.guests[300]!.running!.since;
  const before = structuredClone(cluster.world.guests);
  const forget = path.join(folder, 'forget.tf.json');
  const { code, out, said } = await run(text, { yes: true, forget });
  expect(code).toBe(0);
  expect(machinesIn(out)).toMatchObject([
    { id: 'front', name: 'web-1', vmid: 300, image: { template: 9000 }, restart: 'whenNeeded' },
    { id: 'this', name: 'web-2', vmid: 301 },
  ]);
  expect(said).toContain('First let the old place forget these guests');
  expect(said.match(/its next plan is empty/g)).toHaveLength(2);
  expect(writes(cluster.simulator)).toEqual([300, 301].map(id => `PUT /nodes/pve1/qemu/${id}/config`));
  expect(cluster.world.guests[300]!.running!.since).toBe(since);
  for (const id of [300, 301]) {
    const { tags: _, description: __, smbios1: ___, ...config } = cluster.world.guests[id]!.config;
    expect(before[id]!.config).toMatchObject(config);
  }
  expect(JSON.parse(readFileSync(forget, 'utf8'))).toMatchObject({
    removed: [
      { from: 'proxmox_virtual_environment_vm.front' },
      { from: 'proxmox_virtual_environment_vm.this' },
    ],
  });
});

test('without a yes nothing is written, and nothing but what was found is to be forgotten', async () => {
  const text = state(
    vm('front', 300),
    vm('gone', 399),
    vm('other', 302, { mac_addresses: ['BC:24:11:99:99:99'] }),
  );
  const forget = path.join(folder, 'forget.tf.json');
  const { code, said } = await run(text, { forget });
  expect(code).toBe(3);
  expect(said).toContain('VM 399: REFUSED: the cluster lists no guest 399');
  expect(said).toContain('the state has another one under its number: web-3, BC:24:11:99:99:99');
  expect(JSON.parse(readFileSync(forget, 'utf8'))).toMatchObject({
    removed: [{ from: 'proxmox_virtual_environment_vm.front' }],
  });
  expect(writes(cluster.simulator)).toEqual([]);
});

test('how Proxmox differs from the state is told, and Proxmox is believed', async () => {
  const memory = [{ dedicated: 4096 }];
  const { out, said } = await run(state(vm('front', 300, { memory, node_name: 'pve3', started: false })));
  expect(said).toContain('front: the state says memory (MiB) 4096, Proxmox has 1024.');
  expect(said).toContain('front: the state says node pve3, Proxmox has pve1.');
  expect(said).toContain('front: the state says running false, Proxmox has true.');
  expect(machinesIn(out)).toMatchObject([{ memory: '1Gi' }]);
});

test('a guest that gets its uuid at the next start is not restarted for it', async () => {
  delete cluster.world.guests[300]!.config['smbios1'];
  const { code, said } = await run(state(vm('front', 300, { reboot_after_update: true })), { yes: true });
  expect([code, said]).toEqual([0, expect.stringContaining('its next plan is empty')]);
});

test('what would change the guest is not taken from the state', async () => {
  await administratorOf(cluster)('PUT', '/nodes/pve1/qemu/300/config', { cores: '4' });
  const { out } = await run(state(vm('front', 300, { reboot_after_update: true })));
  expect(machinesIn(out)[0]).not.toHaveProperty('restart');
});

test.each([2, 3])(
  'of %d guests with one number none is taken: one may be of another cluster',
  async count => {
    const entries = ['front', 'there', 'elsewhere'].slice(0, count).map(name => vm(name, 300));
    const { code, said } = await run(state(...entries));
    expect(code).toBe(3);
    expect(said).toContain('proxmox_virtual_environment_vm.there');
    expect(said).toContain('has its number, too');
    expect(said).not.toContain('state rm');
  },
);

test('a guest that somebody makes anew under its number is not marked', async () => {
  const admin = administratorOf(cluster);
  somebody.before(/PUT .*\/qemu\/301\/config/, async () => {
    await admin('DELETE', '/nodes/pve1/qemu/301');
    await admin('POST', '/nodes/pve1/qemu', { vmid: '301', name: 'new' });
  });
  const { code } = await run(state(vm('back', 301)), { yes: true });
  expect(code).toBe(3);
  expect(cluster.world.guests[301]!.config['description'] ?? '').not.toContain('pvr:');
});

test('a guest whose number nobody can read is named, and the others go on', async () => {
  const { code, out, said } = await run(
    state(vm('front', 300), vm('odd', 301, { vm_id: 'abc' }), vm('no', 7)),
  );
  expect(code).toBe(3);
  expect(said).toContain('proxmox_virtual_environment_vm.odd: REFUSED: the state gives');
  expect(said).toContain('proxmox_virtual_environment_vm.no: REFUSED');
  expect(machinesIn(out)).toMatchObject([{ id: 'front' }]);
});

test('a second run writes no program over that of the first one', async () => {
  const out = path.join(folder, 'machines.json');
  expect(await run(state(vm('front', 300)), { yes: true, out })).toMatchObject({ code: 0 });
  const first = readFileSync(out, 'utf8');
  const both = state(vm('front', 300), vm('back', 301));
  await expect(run(both, { yes: true, out, force: true })).rejects.toThrow(/may hold the program.*VM 300/);
  expect(readFileSync(out, 'utf8')).toBe(first);
  expect(cluster.world.guests[301]!.config).not.toHaveProperty('description');
  expect(await run(both, { yes: true, out: `${out}.more` })).toMatchObject({ code: 0 });
});

test('a guest of another owner counts as refused', async () => {
  expect(await run(state(vm('front', 300)), { yes: true })).toMatchObject({ code: 0 });
  expect(await run(state(vm('front', 300)), { owner: 'they' })).toMatchObject({ code: 3 });
  expect(await run(state(vm('front', 300)))).toMatchObject({ code: 0 });
});

test('wrong options and files are refused before anything is sent', async () => {
  const file = path.join(folder, 'there.tf.json');
  writeFileSync(file, '');
  await expect(run(state(), { forget: file })).rejects.toThrow(/--forget .* exists/);
  const one = { forget: path.join(folder, 'one.tf.json'), out: path.join(folder, 'one.tf.json') };
  await expect(run(state(), one)).rejects.toThrow('name one file twice');
  await expect(run(state(), { all: true })).rejects.toThrow('--from-state says which guests');
  await expect(run(state(vm('front', 300)), { fromState: path.join(folder, 'none') })).rejects.toThrow(
    'ENOENT',
  );
  await expect(
    run(state({ mode: 'managed', type: 'aws_instance', name: 'x', instances: [{}] })),
  ).rejects.toThrow('stdin holds no virtual machine of a provider for Proxmox that is known');
  expect(cluster.simulator.ledger.entries()).toEqual([]);
  expect(existsSync(path.join(folder, 'none'))).toBe(false);
});

test('what a move does not take from a state is said, with the machine', async () => {
  const later = vm('web', 300) as { instances: object[] };
  const text = state({ ...later, instances: later.instances.map(each => ({ ...each, schema_version: 1 })) });
  expect((await run(text)).said).toMatch(/web: .*its entry has schema_version 1/);
});
