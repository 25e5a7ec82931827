import type { Action, MachinePlan } from '../../reconciler/action';
import { bridgeNeeds } from '../../reconciler/privileges/bridge-needs';
import { holds, meets } from '../../reconciler/privileges/held';
import { preflight } from '../../reconciler/plan/preflight';
import { machine } from '../support/spec/machine';
import { cluster, guest, planContext, present } from '../support/reconciler/observed';

const caller = 'ops@pve!tf';

describe('a privilege is held', () => {
  const permissions = {
    '/vms': { 'VM.Audit': 1, 'VM.Clone': 0 },
    '/vms/100': { 'VM.Clone': 1 },
    '/sdn/zones/lab/vnet1': { 'SDN.Use': 1 },
  };
  test.each<[string, string, string, boolean]>([
    ['on the path itself', '/vms', 'VM.Clone', true],
    ['below, when it is passed on', '/vms/101', 'VM.Audit', true],
    ['not below, when it is not', '/vms/101', 'VM.Clone', false],
    ['where a rule of its own takes the place of what is above', '/vms/100', 'VM.Clone', true],
    ['not where that rule says less', '/vms/100', 'VM.Audit', false],
    ['not elsewhere', '/storage/local', 'VM.Audit', false],
  ])('%s', (_, path, privilege, held) =>
    expect(holds({ caller, permissions }, { path, privilege })).toBe(held),
  );

  test('by root@pam, always', () =>
    expect(holds({ caller: 'root@pam', permissions: {} }, { path: '/', privilege: 'Sys.Modify' })).toBe(
      true,
    ));

  test.each<[string, string, boolean]>([
    ['a virtual network in a zone that a rule names', 'virtio,bridge=vnet1', true],
    ['its VLANs', 'virtio,bridge=vnet1,tag=7', true],
    ['a bridge of the node', 'virtio,bridge=vmbr0', false],
  ])('for %s', (_, net, held) =>
    expect(bridgeNeeds('net0', net, permissions).every(need => meets({ caller, permissions }, need))).toBe(
      held,
    ),
  );
});

test('each VLAN of a trunk is a path of its own', () =>
  expect(
    bridgeNeeds('net0', 'virtio,bridge=vmbr0,trunks=5;7-8', {}).map(({ ways }) => ways[0]?.path),
  ).toEqual([
    '/sdn/zones/localnetwork/vmbr0/5',
    '/sdn/zones/localnetwork/vmbr0/7',
    '/sdn/zones/localnetwork/vmbr0/8',
  ]));

const planOf = (...actions: Action[]): MachinePlan => ({
  machine: 'web',
  changes: [],
  actions,
  refusals: [],
  waiting: [],
});
const told = (version: string, plan: MachinePlan, fields = {}) =>
  preflight({
    spec: machine(fields),
    plan,
    have: { kind: 'absent' },
    cluster: cluster({ caller, version, permissions: {} }),
    context: planContext(),
  }).refusals[0]!;

test.each([
  ['8.4.1', 'VM.Monitor'],
  ['9.0.3', 'VM.GuestAgent.Audit'],
  ['9.2', 'VM.GuestAgent.Audit'],
])('to ask the agent, PVE %s wants %s', (version, privilege) => {
  const create: Action = { kind: 'create', node: 'pve1', vmid: 101, params: {} };
  expect(told(version, planOf(create), { waitFor: 'agent' }).detail).toContain(`${privilege} on /vms`);
});

test('the lines to run name role, path and token, and keep what is held', () => {
  const write: Action = { kind: 'configure', set: { cores: '2' }, delete: [], slow: false, verify: true };
  const { refusals } = preflight({
    spec: machine(),
    plan: planOf(write),
    have: present(),
    cluster: cluster({ caller, permissions: { '/vms': { 'VM.Audit': 1 } } }),
    context: planContext(),
  });
  expect(refusals).toHaveLength(1);
  expect(refusals[0]!.detail).toBe('ops@pve!tf lacks VM.Config.CPU on /vms/101 (for cores).');
  expect(refusals[0]!.remedy).toMatch(
    /^ {2}pveum role add (pvr-[0-9a-f]{8}) --privs VM\.Audit,VM\.Config\.CPU\n {2}pveum acl modify \/vms\/101 --roles \1 --tokens 'ops@pve!tf'$/m,
  );
});

test('there are lines for a token with privilege separation, and lines for one without', () => {
  const { remedy } = told('9.2', planOf({ kind: 'create', node: 'pve1', vmid: 101, params: {} }));
  const [separated, whole] = remedy.split('in place of the lines with --tokens:\n');
  const lines = (text = ''): string[] => text.split('\n').filter(line => line.includes('pveum acl modify'));
  expect(lines(separated)).not.toEqual([]);
  expect(lines(whole)).toEqual(
    lines(separated).map(line => line.replace("--tokens 'ops@pve!tf'", "--users 'ops@pve'")),
  );
  expect(separated).toContain('(pveum user token list ops@pve tells: privsep 1)');
});

test.each<[string, Action, Record<string, string>, string[]]>([
  [
    'a mapped device',
    { kind: 'configure', set: { hostpci0: 'mapping=gpu' }, delete: [], slow: false, verify: true },
    {},
    ['VM.Config.HWType on /vms/101', 'Mapping.Use on /mapping/pci/gpu'],
  ],
  [
    "another guest's disk",
    { kind: 'configure', set: { scsi1: 'local:vm-7-disk-0' }, delete: [], slow: true, verify: true },
    {},
    ['VM.Config.Disk on /vms/101', 'Datastore.Audit on /storage/local', 'VM.Config.Disk on /vms/7'],
  ],
  [
    'the end of a disk',
    { kind: 'configure', set: {}, delete: ['unused0'], slow: true, verify: true },
    { unused0: 'local:vm-101-disk-3' },
    ['VM.Config.Disk on /vms/101', 'Datastore.AllocateSpace on /storage/local'],
  ],
  ['a migration', { kind: 'migrate', to: 'pve2' }, {}, ['VM.Migrate on /vms/101']],
  [
    'another pool',
    { kind: 'set-pool', pool: 'prod' },
    {},
    ['VM.Allocate on /vms/101', 'Pool.Allocate, Pool.Audit on /pool/prod'],
  ],
  [
    'a create into a pool',
    { kind: 'create', node: 'pve1', vmid: 101, params: { pool: 'prod' } },
    {},
    ['VM.Allocate, VM.Audit on /vms', 'Pool.Audit on /pool/prod'],
  ],
  ['a new cloud-init drive', { kind: 'regenerate-cloud-init' }, {}, ['VM.Config.Cloudinit on /vms/101']],
])('%s asks for its privileges', (_, action, config, named) => {
  const { refusals } = preflight({
    spec: machine(),
    plan: planOf(action),
    have: { kind: 'present', guest: guest(config), unfinished: false },
    cluster: cluster({ caller, permissions: {} }),
    context: planContext(),
  });
  const detail = refusals[0]!.detail.replace('ops@pve!tf lacks ', '');
  expect(
    detail
      .replace(/ \(for [^)]*\)/g, '')
      .replace(/\.$/, '')
      .split('; '),
  ).toEqual(named);
});

test('a device of the host is for root in person', () => {
  const write: Action = {
    kind: 'configure',
    set: { usb0: 'host=1-2' },
    delete: [],
    slow: false,
    verify: true,
  };
  expect(told('9.2', planOf(write))).toMatchObject({
    why: 'root-only',
    detail: expect.stringContaining('usb0'),
  });
});
