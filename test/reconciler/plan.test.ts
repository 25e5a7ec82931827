import type { MachinePlan } from '../../reconciler/action';
import type { ObservedGuest } from '../../reconciler/observed';
import { withoutSecrets } from '../../reconciler/plan/without-secrets';
import { machine } from '../support/spec/machine';
import {
  type Given,
  cluster,
  guest,
  mark,
  planContext,
  planMachine,
  present,
  UUID,
} from '../support/reconciler/observed';

type Fields = Parameters<typeof machine>[0];

function plan(
  spec: Fields,
  config: Record<string, string> = {},
  fields: Partial<ObservedGuest> = {},
  context: Given = {},
): MachinePlan {
  return planMachine(machine(spec), present(config, fields), cluster(), planContext(context));
}

const kinds = ({ actions }: MachinePlan): string[] => actions.map(({ kind }) => kind);
const written = ({ actions }: MachinePlan): Record<string, string> =>
  Object.assign({}, ...actions.map(action => (action.kind === 'configure' ? action.set : {})));
const deleted = ({ actions }: MachinePlan): string[] =>
  actions.flatMap(action => (action.kind === 'configure' ? action.delete : []));
const refused = ({ refusals }: MachinePlan): string[] => refusals.map(({ why }) => why);

const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKkUVSHvSVvwXyE6kGfbzBRBOqFjCKoUwuFjlJTlVpTM';
const NOTHING = { machine: 'web', changes: [], actions: [], refusals: [], waiting: [] };

describe('a machine that is there', () => {
  it('is in sync when nothing else is wanted', () => {
    expect(plan({})).toEqual(NOTHING);
  });

  it('gets the one field that differs, with its cost', () => {
    const { changes, actions } = plan({ cpu: { cores: 4 } }, { cores: '2' });
    expect(changes).toEqual([{ field: 'cpu.cores', from: '2', to: '4', effect: 'restart' }]);
    expect(actions).toEqual([
      { kind: 'configure', set: { cores: '4' }, delete: [], slow: false, verify: true },
    ]);
  });

  it('is told with what it has where Proxmox says nothing', () => {
    const { changes } = plan({ cpu: { cores: 4 }, memory: '1Gi', protection: true });
    expect(changes.map(({ field, from, to }) => `${field}: ${from} -> ${to}`).sort()).toEqual([
      'cpu.cores: 1 -> 4',
      'memory: 512Mi -> 1Gi',
      'protection: false -> true',
    ]);
  });

  it('gives a CPU its type, which Proxmox asks for beside any other property', () => {
    expect(written(plan({ cpu: { flags: ['+aes'] } }))).toEqual({ cpu: 'kvm64,flags=+aes' });
    expect(plan({ cpu: { flags: ['+aes'] }, clear: ['cpu.type'] }, { cpu: 'kvm64,flags=+aes' })).toEqual(
      NOTHING,
    );
  });

  it('needs no reading after a write of keys that are applied at once', () => {
    const { actions } = plan({ tags: ['b', 'a'], description: 'x' });
    expect(actions).toMatchObject([{ kind: 'configure', slow: false, verify: false }]);
  });

  it('that something stands in the way of is refused with its words', () => {
    const words = { why: 'foreign', detail: 'VM 101 is not ours.', remedy: 'Look.' };
    const have = { kind: 'refused', ...words } as const;
    expect(planMachine(machine(), have, cluster(), planContext())).toEqual({
      ...NOTHING,
      refusals: [{ machine: 'web', ...words }],
    });
  });

  const SAME: [string, Fields, Record<string, string>][] = [
    ['booleans', { kvm: true, onBoot: true }, { kvm: 'yes', onboot: '1' }],
    ['defaults of Proxmox', { onBoot: false, cpu: { cores: 1 }, bios: 'seabios' }, {}],
    ['numbers', { cpu: { limit: 0.5 } }, { cpulimit: '0.50' }],
    ['tags in another order and case', { tags: ['B', 'a'] }, { tags: 'b;pvr-gn3cjztxse,a' }],
    [
      'properties in another order',
      { agent: { enabled: true, type: 'isa' } },
      { agent: 'type=isa,enabled=1' },
    ],
    ['a default key with or without its name', { memory: '2Gi' }, { memory: 'current=2048' }],
    ['flags as a set', { cpu: { flags: ['-b', '+a'] } }, { cpu: 'host,flags=+a;-b' }],
    ['a chipset that Proxmox pinned', { machine: 'q35' }, { machine: 'pc-q35-10.1' }],
    ['i440fx, which is the default', { machine: 'i440fx' }, {}],
    ['hotplug in its short form', { hotplug: ['usb', 'disk', 'network'] }, { hotplug: '1' }],
    ['a balloon that is on at some size', { balloon: true }, { balloon: '512' }],
    ['SSH keys', { cloudInit: { sshKeys: [SSH_KEY] } }, { sshkeys: `${encodeURIComponent(SSH_KEY)}%0A` }],
    ['texts in base64', { smbios: { sku: 'a b' } }, { smbios1: `uuid=${UUID},base64=1,sku=YSBi` }],
    ['texts as they are', { smbios: { sku: 'ab' } }, { smbios1: `uuid=${UUID},sku=ab` }],
  ];
  const drive = { ide2: 'fast:vm-101-cloudinit,media=cdrom', scsi0: 'fast:vm-101-disk-0,size=8G' };
  it.each(SAME)('takes for the same: %s', (_, spec, config) => {
    const own = guest().current.tags;
    const tags = config.tags?.replace(/pvr-\w+/, own ?? '') ?? own ?? '';
    const { changes } = plan(spec, { ...drive, ...config, tags });
    expect(changes).toEqual([]);
  });

  it('that lost our tag gets it again, and keeps the tags of others', () => {
    expect(written(plan({}, { tags: 'theirs' })).tags).toMatch(/^pvr-[a-z2-7]{10};theirs$/);
  });

  it('keeps the token in its mark until a new one is given', () => {
    const old = { mark: mark({ token: 'one', entry: '7' }) };
    expect(plan({}, {}, old)).toEqual(NOTHING);
    expect(plan({}, {}, old, { token: 'one' })).toEqual(NOTHING);
    expect(written(plan({}, {}, old, { token: 'two' })).description).toContain('"t":"two"');
  });
});

describe('power and restart', () => {
  const POWER: [string, Fields, 'running' | 'stopped' | 'unknown', string[]][] = [
    ['starts what is off', {}, 'stopped', ['power']],
    ['leaves what runs', {}, 'running', []],
    ['stops what runs', { power: 'stopped' }, 'running', ['power']],
    ['leaves what nobody manages', { power: 'unmanaged' }, 'stopped', []],
    ['does not guess', {}, 'unknown', []],
  ];
  it.each(POWER)('%s', (_, spec, power, expected) => {
    expect(kinds(plan(spec, {}, { power }))).toEqual(expected);
  });

  const waits = { pending: { cores: '4' } };
  it('reports what waits, where no restart is allowed', () => {
    const { waiting, ...rest } = plan({ cpu: { cores: 4 } }, { cores: '2' }, waits);
    expect(rest).toMatchObject({ changes: [], actions: [] });
    expect(waiting).toEqual([{ field: 'cpu.cores', from: '2', to: '4', effect: 'restart' }]);
  });

  it('restarts for what is ours', () => {
    const restarting = plan({ cpu: { cores: 4 }, restart: 'whenNeeded' }, { cores: '2' }, waits);
    expect(restarting).toMatchObject({ actions: [{ kind: 'restart' }], waiting: [] });
    expect(restarting.changes.map(({ field }) => field)).toEqual(['cpu.cores']);
  });

  it('never restarts for what others left pending', () => {
    expect(plan({ restart: 'whenNeeded' }, { cores: '2' }, waits)).toEqual(NOTHING);
    const other = { pending: { net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0,mtu=1400' } };
    const net = { net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0' };
    const named = { ...other, mark: mark({ networks: { lan: 'net0' } }) };
    expect(plan({ networks: [{ name: 'lan' }], restart: 'whenNeeded' }, net, named)).toEqual(NOTHING);
  });

  it('writes before it starts', () => {
    expect(kinds(plan({ cpu: { cores: 4 } }, {}, { power: 'stopped' }))).toEqual(['configure', 'power']);
  });
});

describe('what may be cleared', () => {
  const CLEAR: [string, Record<string, string>, Record<string, string>, string[]][] = [
    ['cpu.limit', { cpulimit: '2' }, {}, ['cpulimit']],
    ['cpu.flags', { cpu: 'host,flags=+aes' }, { cpu: 'host' }, []],
    ['cpu.type', { cpu: 'host,flags=+aes' }, { cpu: 'kvm64,flags=+aes' }, []],
    ['cpu.type', { cpu: 'host' }, {}, ['cpu']],
    ['startup', { startup: 'order=1' }, {}, ['startup']],
    ['usb', { usb0: 'spice', usb3: 'spice' }, {}, ['usb0', 'usb3']],
    ['cdrom', { ide3: 'none,media=cdrom' }, {}, ['ide3']],
    ['smbios', { smbios1: `uuid=${UUID},sku=a` }, { smbios1: `uuid=${UUID}` }, []],
    ['options.args', { args: '-x' }, {}, ['args']],
    ['onBoot', {}, {}, []],
  ];
  it.each(CLEAR)('%s', (field, config, set, gone) => {
    const result = plan({ clear: [field] }, config);
    expect(written(result)).toEqual(set);
    expect(deleted(result)).toEqual(gone);
    expect(result.changes.map(change => change.field.replace(/\[\d\]/, ''))).toEqual(
      Array.from({ length: Math.max(gone.length, Object.keys(set).length) }, () => field),
    );
  });

  it('inside a card and a disk', () => {
    const spec = {
      networks: [{ name: 'lan' }],
      disks: [{ name: 'data', size: '8Gi' }],
      clear: ['networks[lan].vlan', 'networks[lan].ipv4', 'disks[data].cache'],
    };
    const config = {
      net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0,tag=5',
      ipconfig0: 'ip=dhcp,ip6=auto',
      scsi1: 'fast:vm-101-disk-1,cache=unsafe,size=8G',
    };
    const result = plan(spec, config, {
      mark: mark({ networks: { lan: 'net0' }, disks: { data: 'scsi1' } }),
    });
    const { description, ...keys } = written(result);
    expect(description).toContain('"nb":{"ipconfig0":"ip=dhcp,ip6=auto"}');
    expect(keys).toEqual({
      net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0',
      ipconfig0: 'ip6=auto',
      scsi1: 'fast:vm-101-disk-1,size=8G',
      smbios1: 'uuid=0F0E0D0C-0000-4000-8000-000000000001',
    });
  });

  it('description, tags and pool, where they are written', () => {
    const result = plan(
      { clear: ['description', 'pool', 'tags'] },
      { tags: 'mine' },
      { description: 'old', pool: 'prod' },
    );
    expect(result.changes.map(({ field, to }) => [field, to])).toEqual([
      ['tags', expect.stringMatching(/^pvr-\w{10}$/)],
      ['description', undefined],
      ['pool', undefined],
    ]);
    expect(kinds(result)).toEqual(['configure', 'set-pool']);
  });
});

describe('what takes a new machine', () => {
  const config = { efidisk0: 'fast:vm-101-disk-9,efitype=4m,pre-enrolled-keys=1', bios: 'ovmf' };
  const root = { disks: [{ name: 'root', size: '8Gi', storage: 'fast' }] };
  const mine = { mark: mark({ disks: { root: 'scsi0' } }) };
  const scsi0 = 'fast:vm-101-disk-0,size=16G';
  const REBUILD: [string, Fields, string, string][] = [
    ['another number', { vmid: 555 }, 'vmid', 'rebuild'],
    ['another image', { image: { iso: 'local:iso/a.iso' } }, 'image', 'rebuild'],
    ['a smaller disk', root, 'disks', 'disk-size'],
    ['another bus', { disks: [{ name: 'root', size: '16Gi', type: 'virtio' }] }, 'disks', 'disk-type'],
    ['another EFI disk', { bios: 'uefi', efiDisk: { type: '2m' } }, 'efiDisk', 'rebuild'],
    ['secure boot', { bios: 'uefi', secureBoot: false }, 'secureBoot', 'rebuild'],
  ];
  it.each(REBUILD)('%s is refused, and the remedy names the way', (_, spec, field, why) => {
    const result = plan(spec, { ...config, scsi0 }, mine);
    expect(refused(result)).toEqual([why]);
    expect(result.actions).toEqual([]);
    expect(result.refusals[0]?.remedy).toContain(`rebuildOn: ["${field}"]`);
    expect(result.refusals[0]?.detail).not.toContain('made anew');
    expect(result.changes).toMatchObject([{ effect: 'refused' }]);
  });

  // what the spec wanted when the mark was written
  const before = { vmid: '101', 'disks[root].size': '16Gi', 'efiDisk.type': '4m', secureBoot: 'true' };
  const wanting = (lastWanted: Record<string, string>) => ({
    mark: mark({ disks: { root: 'scsi0' }, lastWanted }),
  });

  it.each(REBUILD)('%s is a rebuild where the spec says so', (_, spec, field) => {
    const wanted = { ...spec, rebuildOn: [field as 'disks'] };
    const result = plan(wanted, { ...config, scsi0 }, wanting(before));
    expect(result.actions).toEqual([{ kind: 'destroy', starts: true, losses: result.losses }]);
    expect(result.losses?.volumes).toContainEqual(expect.objectContaining({ slot: 'scsi0', kind: 'disk' }));
    expect(result.changes).toMatchObject([{ effect: 'rebuild' }]);
  });

  it.each(REBUILD.filter(([, , field, why]) => field !== 'image' && why !== 'disk-type'))(
    '%s is none where the spec did not change, or where nothing tells that it did',
    (_, spec, field) => {
      const wanted = { ...spec, rebuildOn: [field as 'disks'] };
      const same = { vmid: '555', 'disks[root].size': '8Gi', 'efiDisk.type': '2m', secureBoot: 'false' };
      for (const [fields, says] of [
        [wanting(same), 'somebody has changed the guest'],
        [mine, 'does not remember'],
      ] as const) {
        const { actions, refusals } = plan(wanted, { ...config, scsi0 }, fields);
        expect(actions).toEqual([]);
        expect(refusals).toMatchObject([{ detail: expect.stringContaining(says) as string }]);
        expect(refusals[0]?.remedy).toContain(`apply rebuildOn: ["${field}"]`);
      }
    },
  );

  it.each([
    ['the spec has grown a disk, and somebody more', '4Gi', '8Gi', '16Gi', ['disk-size'], []],
    ['the spec shrinks what somebody has grown', '10Gi', '8Gi', '16Gi', [], ['destroy']],
    ['a storage may have rounded up what is there', '8200Mi', '8Gi', '8200Mi', ['disk-size'], []],
  ])('%s', (_, last, wanted, size, why, does) => {
    const spec: Fields = { disks: [{ name: 'root', size: wanted }], rebuildOn: ['disks'] };
    const there = { ...config, scsi0: `fast:vm-101-disk-0,size=${size.replace('i', '')}` };
    const result = plan(spec, there, wanting({ 'disks[root].size': last }));
    expect([refused(result), kinds(result)]).toEqual([why, does]);
  });

  it('of another image is one where onImageChange says so, and nothing where it is to keep it', () => {
    const image = { iso: 'local:iso/a.iso' };
    expect(kinds(plan({ image, onImageChange: 'rebuild' }, {}, mine))).toEqual(['destroy']);
    const kept = plan({ image, onImageChange: 'keep' }, {}, mine);
    expect(kept).toMatchObject({ changes: [], actions: [], refusals: [], notes: [expect.any(String)] });
    expect(plan({ image }, {}, mine).refusals[0]?.remedy).toContain('onImageChange: "keep"');
  });

  it('finishes a clone that was half made from a former image, which stays in its mark', () => {
    const config = { scsi0: 'fast:vm-101-disk-0,size=16G', boot: 'order=scsi0' };
    const i = 'template ubuntu-22.04';
    const have = {
      kind: 'present',
      unfinished: true,
      guest: guest(config, { mark: mark({ isUnfinished: true, image: i }) }),
    } as const;
    const spec = machine({ image: { template: 'debian-12' }, onImageChange: 'keep' });
    const result = planMachine(spec, have, cluster(), planContext());
    expect(result).toMatchObject({ refusals: [], notes: [expect.stringContaining(`stays on ${i}`)] });
    expect(written(result)['description']).toContain(`"i":"${i}"`);
  });

  it('never destroys a guest that is protected, nor one that is adopted', () => {
    const spec = { vmid: 555, rebuildOn: ['vmid' as const] };
    expect(refused(plan(spec, { protection: '1' }, wanting({ vmid: '' })))).toEqual(['protected']);
    const adopting = { ...root, rebuildOn: ['disks' as const], adopt: true, vmid: 101 };
    const have = {
      kind: 'adoptable',
      guest: guest({ scsi0, boot: 'order=scsi0' }, { mark: undefined }),
    } as const;
    const result = planMachine(machine(adopting), have, cluster(), planContext());
    expect(refused(result)).toEqual(['disk-size']);
    expect(result.actions).toEqual([]);
  });

  it('says how a protected machine is made anew, and what keeps a template', () => {
    const anew = plan({ vmid: 555, rebuildOn: ['vmid'] }, { protection: '1' }, wanting({ vmid: '' }));
    expect(anew.refusals[0]?.remedy).toMatch(/apply that first, with the change undone that asks for it/);
    const turned = { template: true, power: 'stopped' } as const;
    const remedyOf = (becomesTemplate?: true) =>
      plan({}, { template: '1' }, { ...turned, mark: mark({ becomesTemplate }) }).refusals[0]?.remedy;
    expect(remedyOf(true)).toMatch(/^Set asTemplate back to true\. Else remove it by hand/);
    expect(remedyOf()).toMatch(/^To keep it as one, set asTemplate: true\. Else/);
  });

  it('names both sizes of a disk that would shrink', () => {
    const { refusals } = plan(root, { scsi0 }, mine);
    expect(refusals[0]?.detail).toBe('Disk "root" has 16Gi and cannot shrink to 8Gi.');
  });
});

describe('pool and node', () => {
  it('moves to the pool that the spec names', () => {
    const result = plan({ pool: 'prod' }, {}, { pool: 'lab' });
    expect(result.actions).toEqual([{ kind: 'set-pool', pool: 'prod' }]);
    expect(result.changes).toEqual([{ field: 'pool', from: 'lab', to: 'prod', effect: 'live' }]);
  });

  it('moves the state of a TPM only while the guest is off', () => {
    const spec: Fields = { tpm: { storage: 'slow' } };
    const config = {
      tpmstate0: 'fast:vm-101-disk-1,size=4M,version=v2.0',
      scsi0: 'fast:vm-101-disk-0,size=1G',
    };
    expect(refused(plan(spec, config))).toEqual(['tpm-running']);
    expect(kinds(plan({ ...spec, power: 'stopped' }, config))).toEqual(['power']);
    expect(kinds(plan({ ...spec, power: 'stopped' }, config, { power: 'stopped' }))).toEqual(['move-disk']);
  });

  it('goes back to its node only when it is pinned', () => {
    expect(plan({ node: 'pve2' })).toEqual(NOTHING);
    expect(plan({ node: 'pve2', pin: true }).actions).toEqual([{ kind: 'migrate', to: 'pve2' }]);
  });

  const LACKING: [string, Fields, string][] = [
    ['bridge', { networks: [{ name: 'lan', bridge: 'vmbr9' }] }, "bridge 'vmbr9' not found"],
    ['storage', { disks: [{ name: 'root', size: '1Gi', storage: 'gone' }] }, "storage 'gone' not found"],
  ];
  it.each(LACKING)('refuses a %s that the node does not have', (kind, spec, text) => {
    const storage = {
      name: 'fast',
      type: 'dir',
      content: ['images'],
      shared: false,
      active: true,
      available: 1,
    };
    const known = cluster();
    const nodes = known.nodes.map(node => ({ ...node, bridges: ['vmbr0'], storages: [storage] }));
    const { refusals } = planMachine(machine(spec), present(), { ...known, nodes }, planContext());
    expect(refusals).toMatchObject([{ why: `${kind}-not-found`, detail: expect.stringContaining(text) }]);
  });

  it.each([
    ['thick', 'lvmthin', ['allocation']],
    ['thick', 'lvm', []],
    ['thin', 'lvm', ['allocation']],
    ['thin', 'zfspool', []],
  ] as const)('a new %s disk on %s', (allocation, type, expected) => {
    const storage = { name: 'fast', type, content: ['images'], shared: false, active: true, available: 1 };
    const nodes = cluster().nodes.map(node => ({ ...node, storages: [storage] }));
    const spec = machine({ disks: [{ name: 'root', size: '1Gi', storage: 'fast', allocation }] });
    const { refusals } = planMachine(spec, { kind: 'absent' }, cluster({ nodes }), planContext());
    expect(refusals.map(({ why }) => why)).toEqual(expected);
  });
});

describe('a plan that is shown', () => {
  it('holds no secret, wherever it stood', () => {
    const spec: Fields = {
      cloudInit: { passwordFrom: { environment: 'PW' } },
      disks: [{ name: 'root', size: '1Gi', storage: 'fast' }],
    };
    const context = planContext({ secrets: { password: '$6$hash' } });
    const config = { scsi0: 'fast:vm-101-disk-0,size=1G', ide2: 'fast:vm-101-cloudinit,media=cdrom' };
    for (const have of [present(config), { kind: 'absent' } as const]) {
      const full = planMachine(machine(spec), have, cluster(), context);
      expect(JSON.stringify(full)).toContain('$6$hash');
      expect(JSON.stringify(withoutSecrets(full))).not.toContain('$6$hash');
      expect(JSON.stringify(withoutSecrets(full))).toContain('(secret)');
    }
  });
});

describe('what an administrator left waiting', () => {
  const edited = { pending: { cores: '4' } };

  it('costs nothing to take back: what runs is what is wanted', () => {
    const result = plan({ cpu: { cores: 2 } }, { cores: '2' }, edited);
    expect(result.actions).toMatchObject([{ kind: 'configure', set: { cores: '2' } }]);
    expect(result.changes).toMatchObject([{ field: 'cpu.cores', from: '4', to: '2', effect: 'live' }]);
  });

  it('is taken away where only the default runs', () => {
    const result = plan({ cpu: { cores: 1 } }, {}, edited);
    expect(result.actions).toMatchObject([{ kind: 'configure', delete: ['cores'] }]);
  });
});

test("a drive's own default is not written beside what changes: its line would wait for it", () => {
  const scsi0 = 'fast:vm-101-disk-0,size=8G';
  const spec: Fields = { disks: [{ name: 'root', cache: 'none', backup: false }] };
  const result = plan(spec, { scsi0 }, { mark: mark({ disks: { root: 'scsi0' } }) });
  expect(result.actions).toMatchObject([
    { kind: 'configure', set: { scsi0: expect.not.stringContaining('cache') as string } },
  ]);
  expect(result.changes).toMatchObject([{ field: 'disks[root].backup', effect: 'live' }]);
});
