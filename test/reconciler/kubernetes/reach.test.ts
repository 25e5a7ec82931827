import { RESOURCE_KINDS } from '../../../reconciler/kubernetes/kinds';
import type { Resource } from '../../../reconciler/kubernetes/resources/resource';
import { judged, judgedIn, lab, machine, resource, text, type Json } from '../../support/kubernetes/judged';

test.each<[what: string, spec: Json, field: string]>([
  [
    'a variable',
    { cloudInit: { passwordFrom: { environment: 'PVE_TOKEN_SECRET' } } },
    'cloudInit.passwordFrom',
  ],
  ['the Secret of others', { cloudInit: { userDataFrom: { environment: 'SECRET_B_X_Y' } } }, 'userDataFrom'],
  ['a file', { cloudInit: { vendorDataFrom: { file: '/etc/shadow' } } }, 'spec.cloudInit.vendorDataFrom'],
  ['an image', { image: { file: '/var/lib/image.raw' } }, 'spec.image.file'],
])('no machine reaches %s of the daemon', async (_, spec, field) => {
  const { working, faults } = await judged(lab(), machine('web'), machine('thief', spec));
  expect(working).toEqual(['lab/web']);
  expect(faults['thief']).toEqual(text(field));
  expect(faults['thief']).toEqual(text('of the daemon, which no resource may reach'));
});

test.each<[what: string, spec: Json, kind?: string]>([
  ['a file for its text', { caCertificate: '/etc/shadow' }],
  ['a file in a Secret', { caCertificateSecretRef: { name: 'access', key: 'path' } }],
  ['a file as a key', { clientKeySecretRef: { name: 'access', key: 'path' } }],
  ['a file in a whole Secret', { type: 'proxmox', credentialSecretRef: { name: 'whole' } }, 'Provider'],
  [
    'a file in runtime.env',
    { type: 'proxmox', runtime: { env: [{ name: 'PVE_CA_BUNDLE', value: '/etc/shadow' }] } },
    'Provider',
  ],
  ['variables by a prefix', { credentials: { prefix: 'OTHER_' } }],
])('no cluster reaches %s', async (_, spec, kind = 'ProxmoxCluster') => {
  const endpoint = 'https://thief.example.com:8006';
  const { working, faults } = await judged(
    ...[lab(), resource(kind, 'thief', { endpoint, ...spec })],
    ...[machine('web', { cluster: 'lab' }), machine('near', { cluster: 'thief' })],
  );
  expect(working).toEqual(['lab/web']);
  expect(faults['thief']).toEqual(text('of the daemon, which no resource may reach'));
});

test.each<[what: string, environment: Record<string, string>]>([
  ['of its name', { PVE_BARE_TOKEN_ID: 'root@pam!full', PVE_BARE_TOKEN_SECRET: 'x' }],
  ['without a name', { PVE_TOKEN_ID: 'root@pam!full', PVE_TOKEN_SECRET: 'x' }],
])('a cluster does not get the credentials of the daemon, %s', async (_, environment) => {
  const bare = resource('ProxmoxCluster', 'bare', { endpoint: 'https://bare.example.com:8006' });
  const { working, faults } = await judgedIn(environment, bare, machine('web'));
  expect(working).toEqual([]);
  expect(faults['bare']).toEqual(text('ClusterUnusable'));
});

test('nor is a cluster of the environment used that no resource describes', async () => {
  const environment = {
    PVE_OTHER_ENDPOINT: 'https://o:8006',
    PVE_OTHER_PASSWORD: 'x',
    PVE_OTHER_USERNAME: 'a@pam',
  };
  const { working, faults } = await judgedIn(environment, machine('web', { cluster: 'other' }));
  expect(working).toEqual([]);
  expect(faults['web']).toEqual(text('"other" names no cluster'));
});

const elsewhere = (name: string, namespace: string, metadata: Json = {}): Resource =>
  resource('ProxmoxCluster', name, lab(name).json['spec'] as Json, {
    ...{ name, namespace, uid: `uid-${namespace}-${name}`, resourceVersion: '1', generation: 1 },
    ...metadata,
  });
const inSpace = (namespace: string, name: string, spec: Json = {}, metadata: Json = {}): Resource =>
  machine(name, spec, { name, namespace, uid: `uid-${namespace}-${name}`, ...metadata });

test('a machine uses clusters of its own namespace, and of the one that all may use', async () => {
  const { working, faults } = await judged(
    ...[lab('own'), elsewhere('all', 'shared'), elsewhere('theirs', 'team-b')],
    ...[
      machine('a', { cluster: 'own' }),
      machine('b', { cluster: 'all' }),
      machine('c', { cluster: 'theirs' }),
    ],
  );
  expect(working).toEqual(['own/a', 'all/b']);
  expect(faults).toEqual({ c: text('"theirs" names no cluster that namespace team-a may use') });
  expect(faults['c']).toEqual(text('allowed: all, own.'));
});

test('the only cluster is the only one that it may use', async () => {
  const { working } = await judged(elsewhere('theirs', 'team-b'), lab(), machine('web'));
  expect(working).toEqual(['lab/web']);
});

test('a second cluster of a name, elsewhere, whatever is wrong with it, harms nobody', async () => {
  const going = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['pve-reconciler/machines'] };
  for (const metadata of [{}, going]) {
    const bad = resource(
      'ProxmoxCluster',
      'lab',
      { limits: 'many' },
      elsewhere('lab', 'team-b').json['metadata'] as Json,
    );
    for (const second of [elsewhere('lab', 'team-b', metadata), bad]) {
      const { working, faults } = await judged(
        lab(),
        second,
        machine('web'),
        inSpace('team-b', 'near', { cluster: 'lab' }),
      );
      expect(working).toEqual(['lab/web']);
      expect(Object.keys(faults).sort()).toEqual(['lab', 'near']);
      expect(faults['lab']).toEqual(text('is given twice, also at ProxmoxCluster team-a/lab'));
    }
  }
});

test('nor does an elder one whose name one of all takes', async () => {
  const { working, faults } = await judged(
    elsewhere('lab', 'team-b'),
    elsewhere('lab', 'shared'),
    machine('web'),
  );
  expect(working).toEqual(['lab/web']);
  expect(faults['lab']).toEqual(text('also at ProxmoxCluster shared/lab'));
});

test('a machine that is deleted is not looked for in another cluster of that name', async () => {
  const metadata = {
    ...{ annotations: { 'pve-reconciler/cluster': 'lab' }, finalizers: ['pve-reconciler/guest'] },
    deletionTimestamp: '2026-01-01T00:00:00Z',
  };
  const { deleted } = await judged(elsewhere('lab', 'team-b'), machine('web', {}, metadata));
  expect(deleted).toEqual([{ name: 'web', cluster: 'lab', why: text('cluster lab is not there') }]);
});

test('what one cluster is wrong in is not told of another, whatever it says', async () => {
  const spec = {
    endpoint: 'https://x.example.com:8006',
    type: 'proxmox',
    runtime: { env: [{ name: 'PVE_FINGERPRINT', value: "'lab'" }] },
  };
  const { working, faults } = await judged(
    lab(),
    resource('Provider', 'bad', spec),
    machine('web', { cluster: 'lab' }),
  );
  expect(working).toEqual(['lab/web']);
  expect(Object.keys(faults)).toEqual(['bad']);
});

test('what is said of nodes stands beside their cluster', async () => {
  const node = resource('ProxmoxNode', 'pve1', { cluster: 'all', maxVMs: 1 });
  const { working, faults } = await judged(
    elsewhere('all', 'shared'),
    node,
    machine('web', { cluster: 'all' }),
  );
  expect(working).toEqual(['all/web']);
  expect(faults).toEqual({ pve1: text('"all" names no cluster that namespace team-a may use') });
});

describe('a machine that is deleted while another resource stands for its guest', () => {
  const deletedAs = (spec: Json = {}): Resource =>
    machine('web', spec, {
      ...{ annotations: { 'pve-reconciler/cluster': 'lab' }, finalizers: ['pve-reconciler/guest'] },
      deletionTimestamp: '2026-01-01T00:00:00Z',
    });
  const elder = (): Resource => resource('VirtualMachine', 'web', {});

  test.each<[what: string, resources: () => Resource[], other: string]>([
    ['an elder one', () => [elder(), deletedAs()], 'VirtualMachine team-a/web'],
    ['a younger one, which is wrong', () => [deletedAs(), elder()], 'VirtualMachine team-a/web'],
    ['also if it is let go of', () => [elder(), deletedAs({ deletionPolicy: 'Retain' })], 'VirtualMachine'],
    [
      'one that was called so',
      () => [deletedAs(), resource('VirtualMachine', 'web-2', { formerIds: ['web'] })],
      'VirtualMachine team-a/web-2',
    ],
    [
      'one that goes and keeps it',
      () =>
        [
          deletedAs(),
          resource(
            'VirtualMachine',
            'web',
            { deletionPolicy: 'Retain' },
            deletedAs().json['metadata'] as Json,
          ),
        ].map((each, index) => ({ ...each, uid: `uid-${index}` })),
      'VirtualMachine team-a/web',
    ],
  ])('%s', async (_, resources, other) => {
    const { deleted } = await judged(lab(), ...resources());
    expect(deleted.find(({ name }) => name === 'web')?.why).toEqual(text(`${other}`));
    expect(deleted.find(({ name }) => name === 'web')?.why).toEqual(text('stands for the same guest'));
  });

  test('one that goes too is none, nor is one of another cluster or namespace', async () => {
    const going = {
      ...deletedAs(),
      kind: RESOURCE_KINDS.find(({ kind }) => kind === 'VMClone')!,
      uid: 'other',
    };
    const annotations = { 'pve-reconciler/cluster': 'two' };
    const bound = resource('VirtualMachine', 'web', { providerRef: { name: 'two' } }, { annotations });
    const { deleted } = await judged(lab(), lab('two'), deletedAs(), going, bound, inSpace('team-b', 'web'));
    expect(deleted[0]).toEqual({ name: 'web', cluster: 'lab', why: undefined });
  });
});
