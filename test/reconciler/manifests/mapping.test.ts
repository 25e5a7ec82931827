import { CLUSTER, manifest, saidIn } from '../../support/manifests/said';

const MiB = 2 ** 20;
const GiB = 2 ** 30;

/** The first machine of what is wanted, or the reason why there is none. */
async function machineIn(text: string): Promise<Record<string, unknown>> {
  const { problems, wanted } = await saidIn(text);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { ...wanted[0]?.state.machines[0] };
}
const vm = (spec: object, more: object = {}): string =>
  CLUSTER + manifest('VirtualMachine', 'web', spec, more);

describe('what each field of a machine becomes', () => {
  test.each<[reason: string, text: string, want: object]>([
    ['the name in metadata is the identity', vm({}), { id: 'web' }],
    ['name', vm({ name: 'www' }), { id: 'web', name: 'www' }],
    ['vmid, node', vm({ vmid: 10500, node: 'pve1' }), { vmid: 10500, node: 'pve1' }],
    ['template by name', vm({ template: 'debian-12' }), { image: { template: 'debian-12' } }],
    [
      'cpu',
      vm({ cpu: { cores: 4, sockets: 2, threadsPerCore: 2 } }),
      { cpu: { cores: 4, sockets: 2, threadsPerCore: 2 } },
    ],
    ['memory in bytes', vm({ memory: 2147483648 }), { memory: 2 * GiB }],
    [
      'resources',
      vm({ resources: { cpu: 2, memory: '4Gi', disk: '20Gi' } }),
      { cpu: { cores: 2 }, memory: 4 * GiB, disks: [{ name: 'root', size: 20 * GiB }] },
    ],
    [
      'disks',
      vm({
        disks: [
          {
            name: 'data',
            size: '1T',
            storage: 'local-lvm',
            type: 'virtio',
            cache: 'writeback',
            format: 'raw',
          },
        ],
      }),
      {
        disks: [
          {
            name: 'data',
            size: 1024 * GiB,
            storage: 'local-lvm',
            type: 'virtio',
            cache: 'writeback',
            format: 'raw',
          },
        ],
      },
    ],
    [
      'networks',
      vm({ networks: [{ name: 'eth0', bridge: 'vmbr0', model: 'e1000', vlan: 100, firewall: true }] }),
      { networks: [{ name: 'eth0', bridge: 'vmbr0', model: 'e1000', vlan: 100, firewall: true }] },
    ],
    [
      'macAddress',
      vm({ networks: [{ name: 'lan', macAddress: '02-00-00-aa-bb-cc' }] }),
      { networks: [{ name: 'lan', macAddress: '02:00:00:AA:BB:CC' }] },
    ],
    [
      'mac',
      vm({ networks: [{ name: 'lan', mac: '02:00:00:aa:bb:cc' }] }),
      { networks: [{ name: 'lan', macAddress: '02:00:00:AA:BB:CC' }] },
    ],
    ['a network that is only named', vm({ networks: [{ name: 'dmz' }] }), { networks: [{ name: 'dmz' }] }],
    [
      'networks without names, under the name of one',
      vm({ network: [{ bridge: 'vmbr0', model: 'virtio' }, { bridge: 'vmbr1' }] }),
      {
        networks: [
          { name: 'net0', bridge: 'vmbr0', model: 'virtio' },
          { name: 'net1', bridge: 'vmbr1' },
        ],
      },
    ],
    [
      'staticIP',
      vm({
        networks: [
          { name: 'lan', staticIP: { address: '192.0.2.9/24', gateway: '192.0.2.1', dns: ['192.0.2.2'] } },
        ],
      }),
      {
        networks: [
          { name: 'lan', staticIP: { address: '192.0.2.9/24', gateway: '192.0.2.1', dns: ['192.0.2.2'] } },
        ],
      },
    ],
    [
      'osType, agent, balloon',
      vm({ osType: 'windows', agent: true, balloon: false }),
      { osType: 'windows', agent: true, balloon: false },
    ],
    [
      'bootOrder, protection',
      vm({ bootOrder: ['disk', 'network'], protection: true }),
      { bootOrder: ['disk', 'network'], protection: true },
    ],
    ['powerState On', vm({ powerState: 'On' }), { power: 'running' }],
    ['powerState Off', vm({ powerState: 'Off' }), { power: 'stopped' }],
    [
      'user data',
      vm({ userData: { cloudInit: { inline: '#cloud-config\n' } } }),
      { cloudInit: { userData: '#cloud-config\n' } },
    ],
    [
      'labels',
      vm({}, { metadata: { name: 'web', labels: { 'vm.type': 'database' } } }),
      { labels: { 'vm.type': 'database' } },
    ],
    [
      'any other field of a machine',
      vm({ tags: ['b', 'a'], onBoot: true, waitFor: 'agent' }),
      { tags: ['a', 'b'], onBoot: true, waitFor: 'agent' },
    ],
    [
      'a class',
      vm({ classRef: { name: 'big' } }) + manifest('VMClass', 'big', { cpus: 8, memory: '16Gi' }),
      { cpu: { cores: 8 }, memory: 16 * GiB },
    ],
    [
      'the chipset and firmware of a class',
      vm({ classRef: { name: 'big' } }) +
        manifest('VMClass', 'big', { spec: { machine: 'q35', bios: 'uefi' } }),
      { machine: 'q35', bios: 'uefi' },
    ],
    [
      'the storage of a class',
      vm({
        classRef: { name: 'fast' },
        disks: [
          { name: 'root', size: '8G' },
          { name: 'own', size: '1G', storage: 'slow' },
        ],
      }) + manifest('VMClass', 'fast', { storage: { class: 'nvme', type: 'thick' } }),
      {
        disks: [
          { name: 'root', size: 8 * GiB, storage: 'nvme', allocation: 'thick' },
          { name: 'own', size: GiB, storage: 'slow', allocation: 'thick' },
        ],
      },
    ],
    [
      'what a machine says itself, before its class',
      vm({ memory: '1Gi', classRef: { name: 'big' } }) + manifest('VMClass', 'big', { memory: '2Gi' }),
      { memory: GiB },
    ],
    [
      'an image by name',
      vm({ imageRef: { name: 'u' } }) + manifest('VMImage', 'u', { source: 'ubuntu-22' }),
      { image: { template: 'ubuntu-22' } },
    ],
    [
      'an image by number',
      vm({ imageRef: { name: 'u' } }) + manifest('VMImage', 'u', { source: '9000' }),
      { image: { template: 9000 } },
    ],
    [
      'an image by address',
      vm({ imageRef: { name: 'u' }, disks: [{ name: 'root', storage: 'fast' }] }) +
        manifest('VMImage', 'u', {
          source: 'https://example.com/u.img',
          checksum: `sha256:${'0'.repeat(64)}`,
        }),
      { image: { url: 'https://example.com/u.img', checksum: `sha256:${'0'.repeat(64)}` } },
    ],
    [
      'a placement policy',
      vm({ placementRef: { name: 'p' }, placement: { minFreeMemory: '2Gi' } }) +
        manifest('VMPlacementPolicy', 'p', {
          nodeSelector: ['pve1', 'pve2'],
          affinity: [{ key: 'vm.type', operator: 'In', values: ['cache'], mode: 'soft' }],
          antiAffinity: [{ key: 'vm.type', operator: 'In', values: ['database'] }],
          constraints: { maxVMsPerNode: 10, minFreeMemory: '4Gi' },
        }),
      {
        placement: {
          nodes: ['pve1', 'pve2'],
          affinity: [{ key: 'vm.type', operator: 'In', values: ['cache'], mode: 'soft' }],
          antiAffinity: [{ key: 'vm.type', operator: 'In', values: ['database'] }],
          maxVMsPerNode: 10,
          minFreeMemory: 2 * GiB,
        },
      },
    ],
    [
      'labels of nodes in a policy',
      vm({ placementRef: { name: 'p' } }) +
        manifest('VMPlacementPolicy', 'p', { nodeSelector: { zone: 'a' } }),
      { placement: { nodeSelector: { zone: 'a' } } },
    ],
  ])('%s', async (_, text, want) => {
    expect(await machineIn(text)).toMatchObject(want);
  });

  test('nothing that was not said', async () => {
    expect(await machineIn(vm({}))).toEqual({ id: 'web' });
  });

  test.each(['Machine', 'ProxmoxVirtualMachine', 'VirtualMachine'])('the same of a %s', async kind => {
    const text =
      CLUSTER + manifest(kind, 'web', { template: 't', resources: { memory: '64Mi' }, powerState: 'Off' });
    expect(await machineIn(text)).toEqual({
      id: 'web',
      image: { template: 't' },
      memory: 64 * MiB,
      power: 'stopped',
    });
  });
});

describe('what a clone is made from', () => {
  const clone = (spec: object, source = ''): string => CLUSTER + manifest('VMClone', 'copy', spec) + source;
  const source = manifest('VirtualMachine', 'web', {});
  test.each<[reason: string, text: string, image: object]>([
    ['a template', clone({ sourceVMRef: { name: 'base' } }), { template: 'base' }],
    [
      'a full copy of a template',
      clone({ sourceVMRef: { name: 'base' }, linkedClone: false }),
      { template: 'base', clone: 'full' },
    ],
    [
      'a linked copy of a template',
      clone({ sourceVMRef: { name: 'base' }, linkedClone: true }),
      { template: 'base' },
    ],
    ['a machine of the manifests', clone({ sourceVMRef: { name: 'web' } }, source), { machine: 'web' }],
    [
      'a full copy of a machine',
      clone({ sourceVMRef: { name: 'web' }, linkedClone: false }, source),
      { machine: 'web', clone: 'full' },
    ],
  ])('%s', async (_, text, image) => {
    expect(await machineIn(text)).toEqual({ id: 'copy', image });
  });

  test('a linked copy of a machine is a full one, which is said', async () => {
    const { notes } = await saidIn(clone({ sourceVMRef: { name: 'web' }, linkedClone: true }, source));
    expect(notes).toEqual([
      'VMClone copy: its source is a machine and no template: the clone is a full one.',
    ]);
  });

  test('it is made on the cluster of its source', async () => {
    const two =
      CLUSTER + manifest('ProxmoxCluster', 'far') + manifest('VirtualMachine', 'web', { cluster: 'far' });
    const { wanted } = await saidIn(two + manifest('VMClone', 'copy', { sourceVMRef: { name: 'web' } }));
    expect(wanted[0]?.state.machines.map(({ id }) => id)).toEqual(['web', 'copy']);
  });
});

describe('which cluster and which owner', () => {
  const label = { labels: { 'cluster.vitistack.io/cluster-name': 'far' } };
  const two = CLUSTER + manifest('Provider', 'far', { type: 'proxmox' });
  const owners = async (text: string, given = {}): Promise<string[]> => {
    const { problems, wanted } = await saidIn(text, given);
    expect(problems).toEqual([]);
    return wanted.filter(({ state }) => state.machines.length > 0).map(({ state }) => state.owner);
  };
  test.each<[reason: string, text: string, given: object, owner: string]>([
    ['the only one', CLUSTER + manifest('Machine', 'web'), {}, 'manifests/lab/default'],
    [
      'a label',
      two + manifest('Machine', 'web', {}, { metadata: { name: 'web', ...label } }),
      {},
      'manifests/far/default',
    ],
    [
      'providerRef',
      two + manifest('VirtualMachine', 'web', { providerRef: { name: 'far' } }),
      {},
      'manifests/far/default',
    ],
    [
      'spec.cluster',
      two + manifest('ProxmoxVirtualMachine', 'web', { cluster: 'far' }),
      {},
      'manifests/far/default',
    ],
    ['the default', two + manifest('Machine', 'web'), { defaultCluster: 'far' }, 'manifests/far/default'],
    [
      'a default without a manifest',
      manifest('Machine', 'web'),
      { defaultCluster: 'lab' },
      'manifests/lab/default',
    ],
    [
      'one that the environment knows',
      two + manifest('Machine', 'web', { cluster: 'x' }),
      { isKnown: () => true },
      'manifests/x/default',
    ],
    ['another owner', CLUSTER + manifest('Machine', 'web'), { owner: 'team' }, 'team/lab/default'],
    [
      'a namespace',
      CLUSTER + manifest('Machine', 'web', {}, { metadata: { name: 'web', namespace: 'shop' } }),
      {},
      'manifests/lab/shop',
    ],
  ])('%s', async (_, text, given, owner) => {
    expect(await owners(text, given)).toEqual([owner]);
  });

  test('the same name in two namespaces is two machines', async () => {
    const shop = manifest('Machine', 'web', {}, { metadata: { name: 'web', namespace: 'shop' } });
    expect(await owners(CLUSTER + manifest('Machine', 'web') + shop)).toEqual([
      'manifests/lab/default',
      'manifests/lab/shop',
    ]);
  });

  test('a cluster of which nobody wants anything is there too', async () => {
    const { wanted } = await saidIn(CLUSTER);
    expect(wanted.map(({ state }) => state)).toEqual([
      { version: 1, owner: 'manifests/lab/default', cluster: { name: 'lab' }, machines: [] },
    ]);
  });
});

describe('clusters, nodes and snapshots', () => {
  test.each<[reason: string, text: string, want: object]>([
    [
      'a ProxmoxCluster',
      manifest('ProxmoxCluster', 'lab', {
        endpoint: 'https://pve.example.com:8006/api2',
        insecureSkipTLSVerify: true,
        nodes: ['pve1'],
        storages: ['local-lvm'],
        networks: ['vmbr0'],
      }),
      {
        cluster: {
          name: 'lab',
          endpoint: 'https://pve.example.com:8006',
          insecureSkipTlsVerify: true,
          nodes: ['pve1'],
          storages: ['local-lvm'],
          networks: ['vmbr0'],
        },
      },
    ],
    [
      'a Provider',
      manifest('Provider', 'lab', {
        type: 'proxmox',
        endpoint: 'https://pve.example.com',
        networkMap: { dmz: 'vmbr7' },
      }),
      { cluster: { name: 'lab', endpoint: 'https://pve.example.com:8006', networkMap: { dmz: 'vmbr7' } } },
    ],
    [
      'a ProxmoxNode, with its labels',
      CLUSTER +
        manifest(
          'ProxmoxNode',
          'n',
          { cluster: 'lab', nodeName: 'pve1', maxVMs: 50 },
          { metadata: { name: 'n', labels: { zone: 'a' } } },
        ),
      { nodes: [{ cluster: 'lab', nodeName: 'pve1', maxVMs: 50, labels: { zone: 'a' } }] },
    ],
    [
      'a ProxmoxNode that is called as the node is',
      CLUSTER + manifest('ProxmoxNode', 'pve1', { maxVMs: 1 }),
      { nodes: [{ nodeName: 'pve1', maxVMs: 1 }] },
    ],
    [
      'a VMSnapshot',
      CLUSTER +
        manifest('Machine', 'web') +
        manifest('VMSnapshot', 'before', { vmRef: { name: 'web' }, description: 'd', includeMemory: true }),
      { snapshots: [{ machine: 'web', name: 'before', description: 'd', includeMemory: true }] },
    ],
  ])('%s', async (_, text, want) => {
    const { problems, wanted } = await saidIn(text);
    expect(problems).toEqual([]);
    expect(wanted.map(({ state }) => state)).toMatchObject([want]);
  });
});

test('what Kubernetes writes into an object that it gives out is no wish', async () => {
  const { problems, wanted } = await saidIn(
    CLUSTER +
      `---\n${JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: [
          {
            apiVersion: 'vitistack.io/v1alpha1',
            kind: 'Machine',
            metadata: {
              name: 'web',
              namespace: 'default',
              uid: 'u',
              resourceVersion: '7',
              annotations: { a: 'b' },
            },
            spec: { vmid: 10500 },
            status: { phase: 'Running' },
          },
        ],
      })}`,
  );
  expect(problems).toEqual([]);
  expect(wanted[0]?.state.machines).toEqual([{ id: 'web', vmid: 10500 }]);
});

test.each<[reason: string, text: string, notes: string[]]>([
  [
    'what configures a program that is not there',
    manifest('Provider', 'lab', {
      type: 'proxmox',
      runtime: { mode: 'Remote', image: 'x', service: { port: 1 } },
    }),
    [
      'Provider lab: mode, image and service of spec.runtime do nothing here: this program needs no other beside it.',
    ],
  ],
  [
    'a policy that nobody names',
    CLUSTER + manifest('VMPlacementPolicy', 'apart', { nodeSelector: ['pve1'] }),
    ['VMPlacementPolicy apart: does nothing, as no machine names it in placementRef.'],
  ],
  [
    'a policy that somebody names',
    vm({ placementRef: { name: 'apart' } }) +
      manifest('VMPlacementPolicy', 'apart', { nodeSelector: ['pve1'] }),
    [],
  ],
])('what does nothing is said: %s', async (_, text, want) => {
  const { problems, notes } = await saidIn(text);
  expect(problems).toEqual([]);
  expect(notes).toEqual(want);
});
