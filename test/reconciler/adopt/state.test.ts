import { readFileSync } from 'node:fs';
import path from 'node:path';
import { notThatOne } from '../../../reconciler/adopt/state/compare-held';
import { forgetting, readersOf } from '../../../reconciler/adopt/state/forget';
import { foreignGuests, type ForeignGuest } from '../../../reconciler/adopt/state/foreign-guests';
import { idOfWords } from '../../../reconciler/adopt/state/id-of-words';
import { resourcesOf } from '../../../reconciler/adopt/state/foreign-state';

/** As bpg's provider 0.111.1 and Terraform wrote it on a simulated cluster. */
const BPG = readFileSync(path.resolve(__dirname, '../../support/states/bpg-0.111.1.json'), 'utf8');

const guestsIn = (text: string): readonly ForeignGuest[] =>
  foreignGuests(resourcesOf(text, 'a file').resources).guests;
const file = (resources: object[]): string => JSON.stringify({ version: 4, resources });
const resource = (type: string, name: string, instances: object[], more: object = {}): object => ({
  ...{ mode: 'managed', type, name, instances },
  ...more,
});
const bpg = (name: string, vmid: number, more: object = {}, around: object = {}): object =>
  resource('proxmox_virtual_environment_vm', name, [
    { attributes: { vm_id: vmid, node_name: 'pve1', name, ...more }, ...around },
  ]);

describe('a state of Terraform', () => {
  test("names the guests of bpg's provider, with what only it knows", () => {
    const guests = Object.fromEntries(guestsIn(BPG).map(({ address, ...guest }) => [address, guest]));
    expect(Object.keys(guests).sort()).toEqual([
      'module.shop.proxmox_virtual_environment_vm.this[0]',
      'module.shop.proxmox_virtual_environment_vm.this[1]',
      'proxmox_virtual_environment_vm.db',
      ...['a', 'b', 'c'].map(key => `proxmox_virtual_environment_vm.web["${key}"]`),
    ]);
    expect(guests['proxmox_virtual_environment_vm.web["a"]']).toEqual({
      block: 'proxmox_virtual_environment_vm.web',
      words: ['web', 'a'],
      ...{ vmid: 103, node: 'pve1', name: 'web-a', macs: ['BC:24:11:D9:20:2A'] },
      intent: { image: { template: 9000 }, restart: 'whenNeeded' },
      known: { 'cpu.cores': 2, 'cpu.sockets': 1, 'memory (MiB)': 1024, running: true },
      notTaken: [],
    });
    expect(guests['proxmox_virtual_environment_vm.db']).toMatchObject({
      intent: { shutdownTimeout: '90s' },
      known: { running: false },
    });
  });

  test('an image that the same state downloaded is the origin of a machine, if its checksum is known', () => {
    const sha = 'a'.repeat(64);
    const known = { id: 'local:import/debian.qcow2', url: 'https://example.org/debian.qcow2' };
    const of = (more: object) =>
      guestsIn(
        file([
          bpg('web', 100, { disk: [{ interface: 'scsi0', import_from: known.id }] }),
          resource('proxmox_virtual_environment_download_file', 'image', [
            { attributes: { ...known, ...more } },
          ]),
        ]),
      )[0]?.intent;
    expect(of({ checksum: sha, checksum_algorithm: 'sha256' })).toEqual({
      image: { url: known.url, checksum: `sha256:${sha}` },
    });
    expect(of({})).toEqual({});
  });

  test("names the guests of Telmate's provider; containers are no machines", () => {
    const attributes = {
      id: 'pve2/qemu/120',
      name: 'old',
      clone: 'debian-12',
      full_clone: false,
      memory: 2048,
    };
    const text = file([
      resource('proxmox_vm_qemu', 'old', [{ attributes: { ...attributes, automatic_reboot: true } }]),
      resource('proxmox_lxc', 'dns', [{ attributes: { id: 'pve2/lxc/121' } }]),
    ]);
    const { guests, containers } = foreignGuests(resourcesOf(text, 'a file').resources);
    expect(guests).toMatchObject([
      {
        ...{ vmid: 120, node: 'pve2', name: 'old', known: { 'memory (MiB)': 2048 } },
        intent: { image: { template: 'debian-12', clone: 'linked' }, restart: 'whenNeeded' },
      },
    ]);
    expect(containers).toEqual(['proxmox_lxc.dns']);
  });

  test('as `terraform show -json` prints it holds the same', () => {
    const vm = { mode: 'managed', type: 'proxmox_virtual_environment_vm', name: 'vm' };
    const address = 'module.shop["eu"].proxmox_virtual_environment_vm.vm[0]';
    const child = {
      address: 'module.shop["eu"]',
      resources: [{ ...vm, address, index: 0, values: { vm_id: 130, name: 'shop' } }],
    };
    const shown = { format_version: '1.0', values: { root_module: { child_modules: [child] } } };
    const [guest] = guestsIn(JSON.stringify(shown));
    expect(guest).toMatchObject({ address, vmid: 130, words: ['shop', 'eu', 'vm', '0'] });
    expect(guest?.block).toBe('module.shop.proxmox_virtual_environment_vm.vm');
    expect(idOfWords(guest?.words ?? [])).toBe('shop-eu-0');
  });

  test('what is half made, or on its way out, is told as such', () => {
    const guests = guestsIn(
      file([bpg('half', 140, {}, { status: 'tainted' }), bpg('out', 141, {}, { deposed: '0a1b2c3d' })]),
    );
    expect(guests.map(({ doubt }) => doubt)).toEqual([
      'it is tainted: its creation did not end well',
      'it is replaced, and its destroy is still to come',
    ]);
    const config = { current: { name: 'half' } };
    expect(notThatOne(guests[0]!, config)?.why).toContain('tainted');
  });
});

test('an export of Pulumi names its guests', () => {
  const urn = 'urn:pulumi:prod::shop::proxmoxve:VM/virtualMachine:VirtualMachine::web';
  const outputs = {
    ...{ vmId: 150, nodeName: 'pve3', name: 'web', rebootAfterUpdate: false },
    ...{ clone: { vmId: 9000, full: false }, networkDevices: [{ macAddress: 'bc:24:11:00:00:01' }] },
  };
  const type = 'proxmoxve:VM/virtualMachine:VirtualMachine';
  const state = resourcesOf(
    JSON.stringify({ version: 3, deployment: { resources: [{ urn, type, outputs }] } }),
    'a file',
  );
  const { guests } = foreignGuests(state.resources);
  expect(guests).toMatchObject([
    {
      ...{ address: urn, vmid: 150, node: 'pve3', macs: ['BC:24:11:00:00:01'], words: ['web'] },
      intent: { image: { template: 9000, clone: 'linked' } },
    },
  ]);
  expect(forgetting(state, guests).commands).toEqual([`pulumi state delete ${urn}`]);
});

test.each([
  ['', 'no JSON object'],
  ['[]', 'no JSON object'],
  ['{}', 'no state'],
  ['{"version":4,"resources":{}}', 'no state'],
  ['{"encrypted_data":"x","meta":{}}', 'encrypted. Give what `tofu show -json` prints'],
  ['{"format_version":"1.2","resource_changes":[],"planned_values":{}}', 'a plan'],
  ['{"version":3,"modules":[]}', 'Terraform 0.11 or older'],
])('%s is no state, and is called what it is', (text, says) => {
  expect(() => resourcesOf(text, 'a file')).toThrow(says);
  expect(() => resourcesOf(text, 'a file')).toThrow('Nothing was sent.');
});

test.each([
  '{"version":4,"resources":[null,1,{"mode":"managed"}]}',
  '{"format_version":"1.0","terraform_version":"1.9.0"}',
])('a state without guests holds none: %s', text => expect(guestsIn(text)).toEqual([]));

describe('the guest under a number', () => {
  const [held] = guestsIn(file([bpg('web', 100, { mac_addresses: ['BC:24:11:00:00:01'] })]));
  const card = (mac: string) => `virtio=${mac},bridge=vmbr0`;
  test.each<[string, Record<string, string>, boolean]>([
    ['has its name', { name: 'web', net0: card('BC:24:11:00:00:02') }, true],
    ['has its card', { name: 'renamed', net0: card('bc:24:11:00:00:01') }, true],
    ['has neither', { name: 'other', net0: card('BC:24:11:00:00:02') }, false],
    ['has no name and no card', {}, false],
  ])('%s', (_, current, isIt) => {
    expect(notThatOne(held!, { current }) === undefined).toBe(isIt);
  });
});

describe('to forget', () => {
  const state = resourcesOf(BPG, 'a file');
  const { guests } = foreignGuests(state.resources);

  test('a block names a resource whose guests are all adopted; of a part of them each has a command', () => {
    const adopted = guests.filter(({ address }) => !address.includes('"c"'));
    const { file: blocks = '', commands } = forgetting(state, adopted);
    expect(JSON.parse(blocks)).toEqual({
      removed: [
        { from: 'module.shop.proxmox_virtual_environment_vm.this', lifecycle: { destroy: false } },
        { from: 'proxmox_virtual_environment_vm.db', lifecycle: { destroy: false } },
      ],
    });
    expect(commands).toEqual([
      `terraform state rm 'proxmox_virtual_environment_vm.web["a"]'`,
      `terraform state rm 'proxmox_virtual_environment_vm.web["b"]'`,
    ]);
  });

  test('a resource with an object that is still to be destroyed has no block', () => {
    const deposed = { attributes: { vm_id: 161, name: 'old' }, deposed: '0a1b2c3d' };
    const now = { attributes: { vm_id: 160, name: 'web' } };
    const both = file([resource('proxmox_virtual_environment_vm', 'web', [now, deposed])]);
    expect(guestsIn(both).map(({ doubt }) => doubt)).toEqual([
      'an older one of it is still to be destroyed',
      'it is replaced, and its destroy is still to come',
    ]);
    const parsed = resourcesOf(both, 'a file');
    expect(forgetting(parsed, guestsIn(both).slice(0, 1)).file).toBeUndefined();
  });

  test('what reads an adopted guest is named', () => {
    expect(readersOf(state, guests)[0]).toBe(
      'null_resource.provision depends on proxmox_virtual_environment_vm.db: what it reads of that, let it read of the machine.',
    );
    expect(readersOf(state, [])).toEqual([]);
  });
});

test.each([
  [['web', 'a'], 'web-a'],
  [['this'], 'this'],
  [['shop', 'this'], 'shop'],
  [['vm', '0'], 'vm-0'],
  [['vms', 'db-1'], 'db-1'],
])('the words %j are the id %s', (words, id) => {
  expect(idOfWords(words)).toBe(id);
});
