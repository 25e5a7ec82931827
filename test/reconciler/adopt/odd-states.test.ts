import { notThatOne } from '../../../reconciler/adopt/state/compare-held';
import { foreignGuests } from '../../../reconciler/adopt/state/foreign-guests';
import { resourcesOf } from '../../../reconciler/adopt/state/foreign-state';

type Json = Record<string, unknown>;
const VM = 'proxmox_virtual_environment_vm';
const file = (...resources: object[]): string => JSON.stringify({ version: 4, resources });
const one = (type: string, name: string, instance: Json): object => ({
  ...{ mode: 'managed', type, name, instances: [instance] },
});
const read = (...resources: object[]) => foreignGuests(resourcesOf(file(...resources), 'a file').resources);

describe("bpg's newer resources", () => {
  test('name their cards by slots, and their template as the source', () => {
    const attributes = {
      ...{ id: 118, name: 'newer', node_name: 'pve1', memory: { size: 1024 }, cpu: { cores: 2 } },
      clone: { source_vm_id: 9000, full: false },
      network: { net0: { bridge: 'vmbr1', mac_address: 'bc:24:11:00:00:01' }, net1: { mac_address: null } },
    };
    expect(read(one('proxmox_cloned_vm', 'newer', { attributes })).guests).toMatchObject([
      {
        ...{ vmid: 118, macs: ['BC:24:11:00:00:01'] },
        intent: { image: { template: 9000, clone: 'linked' } },
        known: { 'memory (MiB)': 1024, 'cpu.cores': 2 },
      },
    ]);
  });
});

describe('of a provider of another version', () => {
  const attributes = {
    vm_id: 100,
    name: 'web',
    reboot_after_update: true,
    mac_addresses: ['BC:24:11:00:00:01'],
  };

  test('an entry of a later form gives number, name and cards, and says so', () => {
    const { guests } = read(one(VM, 'web', { schema_version: 1, attributes }));
    expect(guests).toMatchObject([
      { vmid: 100, name: 'web', macs: ['BC:24:11:00:00:01'], intent: {}, known: {} },
    ]);
    expect(guests[0]?.notTaken).toEqual([expect.stringContaining('its entry has schema_version 1')]);
  });

  test('an entry of the form that is known gives all, and says nothing', () => {
    const { guests } = read(one(VM, 'web', { schema_version: 0, attributes }));
    expect(guests).toMatchObject([{ intent: { restart: 'whenNeeded' }, notTaken: [] }]);
  });

  test('a number that was chosen by an old provider stands in its id', () => {
    const { guests } = read(one(VM, 'web', { attributes: { vm_id: -1, id: '100', name: 'web' } }));
    expect(guests).toMatchObject([{ vmid: 100, name: 'web' }]);
  });

  test('a flat entry, as Terraform 0.11 wrote it, gives number and name', () => {
    const flat = { id: '100', name: 'web', node_name: 'pve1', 'network_device.#': '1' };
    expect(read(one(VM, 'web', { attributes_flat: flat })).guests).toMatchObject([
      { vmid: 100, name: 'web', node: 'pve1', macs: [] },
    ]);
  });
});

describe('a state that is not whole', () => {
  test.each<[string, Json]>([
    ['without attributes', {}],
    ['of which they are null', { attributes: null }],
    ['of which the number is null', { attributes: { vm_id: null, name: 'web' } }],
  ])('names an entry %s as one without a number', (_, instance) => {
    expect(read(one(VM, 'web', instance))).toMatchObject({ guests: [], unnumbered: [`${VM}.web`] });
  });

  test('a number alone proves nothing: the guest is refused by name', () => {
    const [held] = read(one(VM, 'web', { attributes: { vm_id: 100 } })).guests;
    expect(notThatOne(held!, { current: { name: 'web' } })).toEqual({
      why: `the state has neither a name nor a MAC address of ${VM}.web: nothing but the number says that it is this guest`,
      remedy: 'Look whether it is this guest. If so, adopt it by its number.',
    });
  });
});

describe('what the program does not take is said', () => {
  const notTaken = (values: Json, ...others: object[]) =>
    read(one(VM, 'web', { attributes: { vm_id: 100, name: 'web', ...values } }), ...others).guests[0]
      ?.notTaken;
  const image = (more: Json) =>
    one('proxmox_virtual_environment_download_file', 'debian', {
      attributes: { id: 'local:import/d.qcow2', url: 'https://example.org/d.qcow2', ...more },
    });
  const disk = [{ interface: 'scsi0', import_from: 'local:import/d.qcow2' }];

  test('an image without a checksum', () => {
    expect(notTaken({ disk }, image({ checksum: null }))).toEqual([
      'its image https://example.org/d.qcow2 (proxmox_virtual_environment_download_file.debian) has no checksum there: the program names no image. It needs one only to make the machine anew',
    ]);
  });

  test('an image that a node unpacked', () => {
    const packed = { checksum: 'a'.repeat(64), checksum_algorithm: 'sha256', decompression_algorithm: 'zst' };
    expect(notTaken({ disk }, image(packed))).toEqual([expect.stringContaining('was packed')]);
  });

  test('user data in a file, with the resource that holds it', () => {
    const snippet = one('proxmox_virtual_environment_file', 'user', {
      attributes: {
        id: 'local:snippets/user.yaml',
        source_raw: [{ data: '#cloud-config', file_name: 'user.yaml' }],
      },
    });
    const initialization = [{ user_data_file_id: 'local:snippets/user.yaml', vendor_data_file_id: '' }];
    expect(notTaken({ initialization }, snippet)).toEqual([
      'its user data stays the file local:snippets/user.yaml, which proxmox_virtual_environment_file.user holds: leave that in the old code. The program names it in options.cicustom',
    ]);
  });
});

test('an encrypted state of OpenTofu is told as such, with what to give in its place', () => {
  const encrypted = {
    ...{ serial: 3, lineage: '0b7f', meta: { 'key_provider.pbkdf2.main': 'eyJzYWx0Ijoi' } },
    ...{ encrypted_data: 'kUq0', encryption_version: 'v0' },
  };
  expect(() => resourcesOf(JSON.stringify(encrypted), 'a file')).toThrow(
    'a file is encrypted. Give what `tofu show -json` prints',
  );
});
