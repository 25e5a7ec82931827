import type { MachinePlan } from '../../reconciler/action';
import { readDescription } from '../../reconciler/mark/description';
import type { Mark } from '../../reconciler/mark/mark';
import { ownerTag } from '../../reconciler/mark/owner-tag';
import type { CloneSource } from '../../reconciler/machine/facts';
import { Facts } from '../../reconciler/machine/facts';
import { planMachine as planWith } from '../../reconciler/plan/plan';
import { machine } from '../support/spec/machine';
import {
  type Given,
  cluster,
  mark,
  OWNER,
  planContext,
  planMachine,
  present,
  UUID,
} from '../support/reconciler/observed';

type Fields = Parameters<typeof machine>[0];

const create = (spec: Fields, context: Given = {}): MachinePlan =>
  planMachine(machine(spec), { kind: 'absent' }, cluster(), planContext(context));

function paramsOf({ actions }: MachinePlan): Record<string, unknown> {
  const [first] = actions;
  if (first?.kind !== 'create' && first?.kind !== 'clone') throw new Error('no creation is planned');
  return first.params;
}
function markOf(description: unknown): Mark {
  const { mark: found } = readDescription(String(description));
  if (found === undefined) throw new Error('no mark');
  return found;
}

const FULL: Fields = {
  name: 'www',
  description: 'Web server',
  tags: ['prod'],
  pool: 'shop',
  cpu: { cores: 4, type: 'host' },
  memory: '4Gi',
  bios: 'uefi',
  secureBoot: true,
  tpm: {},
  machine: 'q35',
  agent: true,
  bootOrder: ['disk', 'lan'],
  disks: [
    { name: 'root', size: '20Gi', storage: 'fast', ssd: true },
    { name: 'data', size: '1536Mi', type: 'virtio', format: 'qcow2' },
  ],
  networks: [{ name: 'lan', vlan: 10, ipv4: { address: '192.0.2.10/24', gateway: '192.0.2.1' } }],
  cloudInit: { user: 'admin', dns: { servers: ['192.0.2.53'] } },
};

describe('from nothing', () => {
  it('is one request with everything, and a start', () => {
    const { actions, refusals } = create(FULL);
    expect(refusals).toEqual([]);
    expect(actions.map(({ kind }) => kind)).toEqual(['create', 'power']);
    const { description, ...params } = paramsOf(create(FULL));
    expect(params).toEqual({
      vmid: 101,
      name: 'www',
      pool: 'shop',
      tags: [ownerTag(OWNER, 'web'), 'prod'].sort().join(';'),
      smbios1: `uuid=${UUID}`,
      cores: '4',
      cpu: 'host',
      memory: '4096',
      ostype: 'l26',
      scsihw: 'virtio-scsi-single',
      bios: 'ovmf',
      machine: 'q35',
      agent: '1',
      efidisk0: 'fast:1,efitype=4m,pre-enrolled-keys=1',
      tpmstate0: 'fast:1,version=v2.0',
      scsi0: 'fast:20,ssd=1',
      virtio0: 'fast:1.5,format=qcow2',
      net0: 'virtio,bridge=vmbr0,tag=10',
      ipconfig0: 'gw=192.0.2.1,ip=192.0.2.10/24',
      ide0: 'fast:cloudinit,media=cdrom',
      ciuser: 'admin',
      nameserver: '192.0.2.53',
      boot: 'order=scsi0;virtio0;net0',
    });
    expect(readDescription(String(description)).text).toBe('Web server');
    expect(markOf(description)).toEqual(
      mark({ isUnfinished: true, disks: { root: 'scsi0', data: 'virtio0' }, networks: { lan: 'net0' } }),
    );
  });

  it('stays off where the spec says so', () => {
    expect(create({ power: 'stopped' }).actions.map(({ kind }) => kind)).toEqual(['create']);
  });

  it('begins with the ISO in the drive', () => {
    expect(paramsOf(create({ image: { iso: 'local:iso/a.iso' } }))).toMatchObject({
      ide2: 'local:iso/a.iso,media=cdrom',
    });
  });

  it('says whose it is: entry and token stand in the mark', () => {
    const { description } = paramsOf(create({}, { entry: '42', token: 'abc' }));
    expect(markOf(description)).toMatchObject({ entry: '42', token: 'abc' });
  });

  const REFUSED: [string, Fields, string][] = [
    ['a disk without a storage', { disks: [{ name: 'a', size: '1Gi' }] }, 'disk-storage'],
    ['UEFI without a storage', { bios: 'uefi' }, 'no-storage'],
    ['a TPM without a storage', { tpm: {} }, 'no-storage'],
  ];
  it.each(REFUSED)('refuses %s', (_, spec, why) => {
    expect(create(spec).refusals.map(refusal => refusal.why)).toEqual([why]);
  });

  it('says that it is the cloud-init drive that has no storage', () => {
    const [refusal] = create({ cloudInit: { user: 'admin' } }).refusals;
    expect(refusal?.detail).toBe('The cloud-init drive is new, and no disk tells a storage for it.');
    expect(refusal?.remedy).toContain('Give the machine a disk with a storage');
  });

  it('is planned for a place only', () => {
    const context = { ...planContext(), facts: new Facts(cluster()) };
    expect(planWith(machine(), { kind: 'absent' }, context).actions).toEqual([]);
    expect(context.facts).toMatchObject({ isEnough: false, lacking: [{ name: 'place', of: '' }] });
    expect(() => create({ image: { template: 'debian' } })).toThrow(TypeError);
  });
});

describe('by clone', () => {
  const config = {
    boot: 'order=scsi0',
    scsi0: 'fast:base-9000-disk-0,size=3G',
    net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0',
    net1: 'virtio=BC:24:11:00:00:02,bridge=vmbr0',
    ipconfig1: 'ip=dhcp',
    ide2: 'fast:vm-9000-cloudinit,media=cdrom',
    smbios1: 'uuid=22222222-0000-4000-8000-000000000000,manufacturer=QEMU',
    description: 'A template',
  };
  const source: CloneSource = { node: 'pve1', vmid: 9000, name: 'debian', template: true, config };
  const spec: Fields = {
    image: { template: 'debian' },
    disks: [{ name: 'root', size: '10Gi' }],
    networks: [{ name: 'lan' }],
  };

  it('is one request, with a mark that says that the creation is unfinished', () => {
    const { actions } = create(spec, { source });
    expect(actions).toMatchObject([
      { kind: 'clone', source: { node: 'pve1', vmid: 9000 }, node: 'pve1', vmid: 101 },
    ]);
    const { description, ...params } = paramsOf(create(spec, { source }));
    expect(params).toEqual({ newid: 101, name: 'web', full: false });
    expect(readDescription(String(description)).text).toBe('A template');
    expect(markOf(description)).toEqual(mark({ image: 'template debian', isUnfinished: true }));
  });

  const CLONES: [string, Fields, Partial<CloneSource>, object][] = [
    ['full when asked', { image: { template: 'debian', clone: 'full' } }, {}, { full: true }],
    ['full from what is no template', {}, { template: false }, { full: true }],
    ['onto another node', {}, { node: 'pve2' }, { full: false, target: 'pve1' }],
    ['of a snapshot', { image: { template: 'debian', snapshot: 'clean' } }, {}, { snapname: 'clean' }],
    ['into a pool', { pool: 'shop' }, {}, { pool: 'shop' }],
    [
      'full onto another storage',
      { disks: [{ name: 'root', size: '10Gi', storage: 'slow' }] },
      {},
      { full: true, storage: 'slow' },
    ],
  ];
  it.each(CLONES)('%s', (_, fields, from, params) => {
    expect(paramsOf(create({ ...spec, ...fields }, { source: { ...source, ...from } }))).toMatchObject(
      params,
    );
  });

  const two = { ...config, scsi1: 'fast:base-9000-disk-1,size=1G' };
  const data = { name: 'data', slot: 'scsi1', storage: 'slow' };

  it('of a template with a disk that is to be elsewhere stays linked, and says that it moves', () => {
    const moving = create({ ...spec, disks: [data] }, { source: { ...source, config: two } });
    expect(paramsOf(moving)).toMatchObject({ full: false });
    expect(moving.changes).toContainEqual({
      field: 'disks[data].storage',
      from: 'fast',
      to: 'slow',
      effect: 'live',
    });
  });

  it('that is to be linked is refused with a root on another storage, and not with any other disk there', () => {
    const image = { template: 'debian', clone: 'linked' as const };
    const linked = { ...spec, image, disks: [{ name: 'root', size: '10Gi', storage: 'slow' }] };
    const { actions, refusals } = create(linked, { source });
    expect(actions).toEqual([]);
    expect(refusals).toMatchObject([{ machine: 'web', why: 'linked-storage' }]);
    expect(refusals[0]?.detail).toMatch(/'slow'.*'fast'/);
    expect(refusals[0]?.remedy).toMatch(/"fast".*clone/);
    const same = { ...linked, disks: [{ name: 'root', size: '10Gi', storage: 'fast' }] };
    expect(create(same, { source }).refusals).toEqual([]);
    const other = { ...same, disks: [data] };
    expect(create(other, { source: { ...source, config: two } }).refusals).toEqual([]);
    // what is no template is cloned in full, whatever is said
    expect(create(linked, { source: { ...source, template: false } }).refusals).toEqual([]);
  });

  it('is refused before anything is sent when the image is larger than its disk', () => {
    const small = { ...spec, disks: [{ name: 'root', size: '2Gi' }], rebuildOn: ['disks' as const] };
    const { actions, refusals } = create(small, { source });
    expect(actions).toEqual([]);
    expect(refusals).toMatchObject([
      { why: 'disk-size', detail: 'Disk "root" has 3Gi and cannot shrink to 2Gi.' },
    ]);
    expect(refusals[0]?.remedy).toContain('The image brings this disk');
  });

  it('is finished by one write, a resize and a start', () => {
    const unfinished = {
      mark: mark({ isUnfinished: true, image: 'template debian', uuid: 'chosen-before' }),
      power: 'unknown' as const,
    };
    const cloned = {
      ...config,
      tags: 'golden',
      smbios1: 'uuid=other,manufacturer=QEMU',
      scsi0: 'fast:vm-101-disk-0,size=3G',
    };
    const have = present(cloned, unfinished);
    const { actions } = planMachine(machine(spec), have, cluster(), planContext({ source }));
    expect(actions).toEqual([
      {
        kind: 'configure',
        set: {
          tags: expect.stringContaining(ownerTag(OWNER, 'web')),
          smbios1: expect.stringMatching(/^manufacturer=QEMU,uuid=chosen-before$/),
          description: expect.stringContaining('"u":"chosen-before"'),
        },
        delete: ['net1', 'ipconfig1'],
        slow: false,
        verify: false,
      },
      { kind: 'resize', slot: 'scsi0', bytes: 10 * 2 ** 30 },
      { kind: 'power', to: 'running' },
    ]);
    const [write] = actions;
    const description = write?.kind === 'configure' ? write.set.description : undefined;
    expect(markOf(description)).toEqual(
      mark({
        uuid: 'chosen-before',
        image: 'template debian',
        disks: { root: 'scsi0' },
        networks: { lan: 'net0' },
      }),
    );
  });
});

test('a new machine of high availability is told to become a member', () => {
  const { changes } = create({ image: { blank: true }, ha: { maxRestart: 2 } });
  expect(changes).toContainEqual({ field: 'ha', from: undefined, to: 'member', effect: 'live' });
});
