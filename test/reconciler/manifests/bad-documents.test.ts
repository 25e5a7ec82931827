import * as fc from 'fast-check';
import { InputError } from '../../../reconciler/errors';
import { CLUSTER, manifest, saidIn, secret } from '../../support/manifests/said';
import { anyText } from '../../support/random/any-text';
import { tries } from '../../support/random/tries';

const YAML = (kind: string, lines: string): string =>
  `apiVersion: infra.virtrigaud.io/v1beta1\nkind: ${kind}\nmetadata:\n  name: web\n${lines}`;
const vm = (lines: string): string => `${YAML('VirtualMachine', lines)}\n${CLUSTER}`;
const provider = (lines: string): string => YAML('Provider', `spec:\n  type: proxmox\n${lines}`);

describe('what is wrong is told with its file, line, column, path and what is allowed', () => {
  test.each<[reason: string, text: string, says: RegExp]>([
    ['a text', 'hello', /^x\.yaml:1:1: \(document\): is no manifest/],
    ['a list', '- a', /^x\.yaml:1:1: \(document\): is no manifest/],
    [
      'neither apiVersion nor kind',
      'spec: {linkedClone: false}',
      /x\.yaml:1:1: .*apiVersion and kind are required.*Allowed: Machine, /,
    ],
    [
      'a desired state',
      '{version: 1, owner: o, cluster: {name: a}, machines: []}',
      /This is a desired state: give it with --spec/,
    ],
    [
      'values of a chart',
      'replicaCount: 1\nresources: {}',
      /Values of a Helm chart have no meaning here: set PVE_ENDPOINT/,
    ],
    [
      'a name that YAML reads as a number',
      'apiVersion: vitistack.io/v1alpha1\nkind: Machine\nmetadata: {name: 5}',
      /^x\.yaml:3:12: metadata\.name: Machine: 5 is no text here\. Quote it: "5"\./,
    ],
    [
      'an unknown kind',
      YAML('VirtualMachin', ''),
      /^x\.yaml:2:1: kind: "VirtualMachin" .*allowed: Machine, .* Did you mean "VirtualMachine"\?/,
    ],
    [
      'another version',
      'apiVersion: vitistack.io/v2\nkind: Machine',
      /x\.yaml:2:1: kind: "Machine" of "vitistack\.io\/v2" is not known; allowed: "vitistack\.io\/v1alpha1"/,
    ],
    [
      'a Deployment',
      'apiVersion: apps/v1\nkind: Deployment',
      /has no meaning here\. Set what it configures in the environment/,
    ],
    [
      'a NetworkPolicy',
      'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy',
      /has no meaning here\. Limit what the machine/,
    ],
    [
      'a ClusterRole',
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole',
      /has no meaning here\. Nothing of Kubernetes/,
    ],
    [
      'a kind that is a method of every object',
      'apiVersion: v1\nkind: constructor',
      /"constructor" of "v1" is not known/,
    ],
    [
      'no name',
      'apiVersion: vitistack.io/v1alpha1\nkind: Machine\nmetadata: {}\nspec: {}',
      /x\.yaml:3:1: metadata\.name: Machine: is required/,
    ],
    ['no spec', YAML('VirtualMachine', ''), /VirtualMachine web: spec: is required; allowed: an object/],
    [
      'a namespace that is none',
      CLUSTER.replace('"lab"', '"lab","namespace":"A b"'),
      /metadata\.namespace: ProxmoxCluster lab: is not valid/,
    ],
    [
      'an unknown field beside spec',
      vm('spec: {}\nspce: {}'),
      /x\.yaml:6:1: VirtualMachine web: spce: .* Did you mean "spec"\?/,
    ],
    [
      'an unknown field of metadata',
      vm('  lables: {}\nspec: {}'),
      /x\.yaml:5:3: .*metadata\.lables: is no known field; .*Did you mean "labels"\?/,
    ],
    [
      'an unknown field',
      vm('spec:\n  powerstate: On'),
      /x\.yaml:6:3: VirtualMachine web: spec\.powerstate: .* Did you mean "powerState"\?/,
    ],
    [
      'an unknown field far from all',
      vm('spec:\n  zzz: 1'),
      /x\.yaml:6:3: VirtualMachine web: spec\.zzz: is no known field; allowed: .*vmid/,
    ],
    [
      'an unknown field of a network',
      vm('spec:\n  networks:\n    - {name: lan, bridg: a}'),
      /x\.yaml:7:19: .*spec\.networks\[lan\]\.bridg: .*Did you mean "bridge"\?/,
    ],
    [
      'a value out of its range',
      vm('spec:\n  cpu:\n    cores: 200'),
      /x\.yaml:7:5: VirtualMachine web: spec\.cpu\.cores: 200 is too large; allowed: a whole number from 1 to 128/,
    ],
    [
      'a value under another name',
      vm('spec:\n  networks:\n  - {name: lan, mac: x}'),
      /x\.yaml:7:17: VirtualMachine web: spec\.networks\[lan\]\.mac: "x" is not valid/,
    ],
    [
      'resources',
      vm('spec:\n  resources:\n    memory: 1'),
      /x\.yaml:7:5: VirtualMachine web: spec\.resources\.memory: 1 is not valid/,
    ],
    [
      'powerState as true',
      vm('spec:\n  powerState: true'),
      /x\.yaml:6:3: .*powerState: true is not valid; allowed: "On", "Off"\. Put one of them in quotes/,
    ],
    [
      'yes for true',
      vm('spec:\n  agent: yes'),
      /x\.yaml:6:3: .*agent: "yes" is not valid; allowed: true, false or an object/,
    ],
    [
      'resources that are no object',
      vm('spec:\n  resources: 2'),
      /spec\.resources: is not valid; allowed: an object/,
    ],
    [
      'the same said twice',
      vm('spec:\n  template: a\n  image: {template: b}'),
      /x\.yaml:7:3: .*spec\.image: says what spec\.template says too\. Keep one of both/,
    ],
    ['an id', vm('spec: {id: x}'), /spec\.id: has no meaning here\. The name in metadata is the identity/],
    [
      'a name that is no identity',
      vm('spec: {}').replace('name: web', 'name: web.shop'),
      /x\.yaml:4:3: VirtualMachine web\.shop: metadata\.name: "web\.shop" is not valid/,
    ],
    [
      'no such class',
      vm('spec:\n  classRef: {name: smal}') + manifest('VMClass', 'small'),
      /x\.yaml:6:14: VirtualMachine web: spec\.classRef\.name: "smal" names no class of namespace default; allowed: small\. Did you mean "small"\?/,
    ],
    [
      'a class of another namespace',
      vm('spec:\n  classRef: {name: big}') +
        manifest('VMClass', 'big', {}, { metadata: { name: 'big', namespace: 'x' } }),
      /There is one in namespace x/,
    ],
    [
      'a reference without a name',
      vm('spec:\n  imageRef: ubuntu'),
      /x\.yaml:6:3: .*spec\.imageRef: is not valid; allowed: \{name, namespace\}/,
    ],
    [
      'no such cluster',
      vm('spec:\n  providerRef: {name: lba}'),
      /x\.yaml:6:17: .*spec\.providerRef\.name: "lba" names no cluster .*allowed: lab\. Did you mean "lab"\?/,
    ],
    [
      'two clusters in one machine',
      vm('spec:\n  cluster: far\n  providerRef: {name: lab}'),
      /x\.yaml:6:3: .*spec\.cluster: "far" is not what spec\.providerRef\.name says/,
    ],
    [
      'a provider that is a text, so that no default may stand in for it',
      vm('spec:\n  providerRef: lab'),
      /x\.yaml:6:3: .*spec\.providerRef: is not valid; allowed: \{name, namespace\}/,
    ],
    [
      'a misspelt name of a provider',
      vm('spec:\n  providerRef: {nmae: lab}'),
      /x\.yaml:6:3: .*spec\.providerRef: is not valid; allowed: \{name, namespace\}/,
    ],
    [
      'a cluster that is no text',
      vm('spec:\n  cluster: {name: lab}'),
      /x\.yaml:6:3: .*spec\.cluster: is not valid; allowed: the name of a cluster/,
    ],
    [
      'no cluster at all',
      YAML('VirtualMachine', 'spec: {}'),
      /x\.yaml:4:3: VirtualMachine web: metadata\.name: names no cluster; .*PROXMOX_DEFAULT_CLUSTER/,
    ],
    [
      'a provider of another kind',
      YAML('Provider', 'spec:\n  type: vsphere'),
      /x\.yaml:6:3: Provider web: spec\.type: "vsphere" is not valid; allowed: "proxmox"/,
    ],
    [
      'a bad class that nobody names',
      YAML('VMClass', 'spec:\n  cpus: 0'),
      /x\.yaml:6:3: VMClass web: spec\.cpus: 0 is too small/,
    ],
    [
      'a bad image that nobody names',
      YAML('VMImage', 'spec:\n  source: "a b"'),
      /x\.yaml:6:3: VMImage web: spec\.source: "a b" is not valid/,
    ],
    [
      'an image without a source',
      YAML('VMImage', 'spec: {}'),
      /VMImage web: spec\.source: is required; allowed: the name or the number of a template/,
    ],
    [
      'an image whose source is an object',
      YAML('VMImage', 'spec: {source: {template: debian-12}}'),
      /VMImage web: spec\.source: \{"template":"debian-12"\} is not valid; allowed: the name or the number/,
    ],
    [
      'an image by address without a checksum',
      YAML('VMImage', 'spec: {source: "https://a.example/x"}'),
      /VMImage web: spec\.checksum: is required with url/,
    ],
    [
      'a bad policy that nobody names',
      YAML('VMPlacementPolicy', 'spec:\n  constraints: {maxVMsPerNode: 0}'),
      /x\.yaml:6:17: VMPlacementPolicy web: spec\.constraints\.maxVMsPerNode: 0 is too small/,
    ],
    [
      'a snapshot of nobody',
      YAML('VMSnapshot', 'spec:\n  vmRef: {name: wbe}') + '\n' + CLUSTER + manifest('Machine', 'web'),
      /VMSnapshot web: spec\.vmRef\.name: "wbe" names no machine .*allowed: web/,
    ],
    [
      'a clone of nothing',
      YAML('VMClone', 'spec: {}') + '\n' + CLUSTER,
      /VMClone web: spec\.sourceVMRef: is required; allowed: \{name\}/,
    ],
    [
      'a clone with a word for linkedClone',
      YAML('VMClone', 'spec: {sourceVMRef: {name: a}, linkedClone: "no"}') + '\n' + CLUSTER,
      /spec\.linkedClone: "no" is not valid; allowed: true or false/,
    ],
    [
      'a node of no cluster',
      YAML('x', '').replace(/[^]*/, manifest('ProxmoxNode', 'n', { cluster: 'far' }) + CLUSTER),
      /ProxmoxNode n: spec\.cluster: "far" names no cluster/,
    ],
    [
      'one machine twice',
      vm('spec: {}') + manifest('VirtualMachine', 'web'),
      /VirtualMachine web: metadata\.name: is given twice, also at x\.yaml:4:3/,
    ],
    [
      'one name for a machine and a clone',
      vm('spec: {}') + manifest('VMClone', 'web', { sourceVMRef: { name: 'a' } }),
      /VMClone web: metadata\.name: is given twice/,
    ],
    [
      'one name for two clusters',
      CLUSTER + manifest('Provider', 'lab', { type: 'proxmox' }),
      /Provider lab: metadata\.name: is given twice/,
    ],
    [
      'one vmid for two machines',
      vm('spec:\n  vmid: 500') + manifest('Machine', 'db', { vmid: 500 }),
      /Machine db: spec\.vmid: 500 is used by machine "web" too/,
    ],
    [
      'an endpoint that is none',
      provider('  endpoint: pve:8006'),
      /x\.yaml:7:3: Provider web: spec\.endpoint: "pve:8006" is not valid/,
    ],
    [
      'a password in the document',
      manifest('ProxmoxCluster', 'lab', { credentials: { password: 'hunter2' } }),
      /spec\.credentials\.password: never stands in such a document\. Put the value into a Secret/,
    ],
    [
      'a key in the document',
      provider('  clientKey: hunter2'),
      /spec\.clientKey: never stands in such a document/,
    ],
    [
      'an unknown credential',
      manifest('ProxmoxCluster', 'lab', { credentials: { tokenId: 'a' } }),
      /spec\.credentials\.tokenId: is no known field; .*Did you mean "tokenID"\?/,
    ],
    [
      'no such Secret',
      provider('  credentialSecretRef: {name: s}'),
      /x\.yaml:7:25: Provider web: spec\.credentialSecretRef\.name: "s" names no secret of namespace default; allowed: none/,
    ],
    [
      'no such key',
      manifest('ProxmoxCluster', 'lab', {
        credentials: { password: { secretRef: { name: 's', key: 'pass' } } },
      }) + secret('s', { password: 'hunter2' }),
      /secretRef\.key: .*names no key of Secret s; allowed: password/,
    ],
    [
      'a Secret with a key that is nearly known',
      provider('  credentialSecretRef: {name: s}\n') +
        secret('s', { usernam: 'hunter2', password: 'hunter2' }),
      /names a Secret with the unknown key "usernam"\. Did you mean "username"\?/,
    ],
    [
      'a Secret with nothing of ours',
      provider('  credentialSecretRef: {name: s}\n') + secret('s', { other: 'hunter2' }),
      /names a Secret without any known key; allowed: username, /,
    ],
    [
      'a Secret with a number',
      secret('s', { password: 1234567 }),
      /Secret s: stringData\.password: is not valid; allowed: text\. Put it in quotes/,
    ],
    [
      'a Secret with data that is no base64',
      secret('s', {}, { data: { password: 'hunter2!' } }),
      /Secret s: data\.password: is not valid; allowed: text in base64/,
    ],
    [
      'an unknown setting of the runtime',
      provider('  runtime: {env: [{name: LOG_LEVEL, value: debug}]}'),
      /spec\.runtime\.env\[LOG_LEVEL\]\.name: is not read from here; allowed: PVE_ENDPOINT, /,
    ],
    [
      'a secret among the settings',
      provider('  runtime: {env: [{name: PVE_PASSWORD, value: hunter2}]}'),
      /runtime\.env\[PVE_PASSWORD\]\.value: is not valid; allowed: valueFrom/,
    ],
    [
      'an address that is given otherwise in a Secret',
      provider('  endpoint: https://a.example\n  credentialSecretRef: {name: s}\n') +
        secret('s', { PVE_ENDPOINT: 'https://b.example' }),
      /x\.yaml:7:3: Provider web: spec\.endpoint: is given otherwise at x\.yaml:8:3, as PVE_ENDPOINT\. Keep one/,
    ],
    [
      'a setting that two places give otherwise',
      provider(
        '  runtime: {env: [{name: PVE_NODE_SELECTOR, value: a}]}\n  credentialSecretRef: {name: s}\n',
      ) + secret('s', { PVE_NODE_SELECTOR: 'b' }),
      /x\.yaml:7:19: Provider web: spec\.runtime\.env\[PVE_NODE_SELECTOR\]: gives PVE_NODE_SELECTOR another value than x\.yaml:8:3/,
    ],
    [
      'an unknown field of the runtime',
      provider('  runtime: {replica: 1}'),
      /spec\.runtime\.replica: is no known field; allowed: mode, image, service, env/,
    ],
  ])('%s', async (_, text, says) => {
    const { problems } = await saidIn(text);
    expect(problems.join('\n')).toMatch(says);
    expect(problems.join('\n')).not.toContain('hunter2');
    for (const problem of problems) expect(problem).toMatch(/^x\.yaml:\d+:\d+: /);
  });

  test('all of it at once, each once', async () => {
    const bad = manifest('VMClass', 'small', { cpus: 0 });
    const { problems } = await saidIn(
      bad +
        CLUSTER +
        manifest('Machine', 'a', { classRef: { name: 'small' }, memory: 1 }) +
        manifest('Machine', 'b', { classRef: { name: 'small' }, vmid: 1 }),
    );
    expect(problems).toHaveLength(3);
  });
});

const word = fc.constantFrom(
  ...[
    'Machine',
    'VirtualMachine',
    'VMClone',
    'VMClass',
    'VMImage',
    'VMSnapshot',
    'VMPlacementPolicy',
    'Provider',
    'Secret',
  ],
  ...['ProxmoxCluster', 'ProxmoxNode', 'ProxmoxVirtualMachine', 'List', '__proto__', 'constructor', 'a'],
);
const field = fc.constantFrom(
  ...[
    'name',
    'spec',
    'metadata',
    'labels',
    'namespace',
    'networks',
    'network',
    'disks',
    'resources',
    'credentials',
    'runtime',
  ],
  ...[
    'env',
    'secretRef',
    'credentialSecretRef',
    'classRef',
    'imageRef',
    'placementRef',
    'providerRef',
    'sourceVMRef',
    'vmRef',
  ],
  ...[
    'userData',
    'cloudInit',
    'inline',
    'image',
    'template',
    'data',
    'stringData',
    'items',
    'cluster',
    '__proto__',
    'key',
  ],
);
const junk = fc.letrec<{ value: unknown; object: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(null, true, 0, -1, 1e21, '', 'a', '4Gi', [], {}),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(field, tie('value'), { maxKeys: 5 }),
}));
const document = fc.record(
  {
    apiVersion: fc.constantFrom<unknown>('v1', 'vitistack.io/v1alpha1', 'infra.virtrigaud.io/v1beta1', 1),
    kind: word,
    metadata: fc.oneof(fc.record({ name: fc.constantFrom('a', 'b') }), junk.value),
    spec: junk.object,
    stringData: junk.value,
    items: junk.value,
  },
  { requiredKeys: ['apiVersion', 'kind', 'metadata'] },
);

test('any documents give states or problems with their places, never a crash', () =>
  fc.assert(
    fc.asyncProperty(fc.array(document, { maxLength: 6 }), async documents => {
      const { problems, wanted } = await saidIn(
        documents.map(each => `---\n${JSON.stringify(each)}\n`).join(''),
        {
          defaultCluster: 'lab',
        },
      );
      for (const problem of problems) expect(problem).toMatch(/^(?:x\.yaml:\d+:\d+|cluster lab): \S/);
      for (const { state, placeOf } of wanted)
        expect(placeOf(['machines', 0])).toMatch(state.machines.length > 0 ? /^x\.yaml:\d/ : /./);
    }),
    tries(120),
  ));

test('any text gives documents or an error of input', () =>
  fc.assert(
    fc.asyncProperty(anyText, async text => {
      try {
        expect((await saidIn(text)).problems).toBeDefined();
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
    }),
    tries(60),
  ));
