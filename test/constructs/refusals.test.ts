import { inspect } from 'node:util';
import { TerraformIterator, TerraformStack, TerraformVariable, Testing, Token } from 'cdktf';
import {
  Image,
  Machine,
  MachineClass,
  PlacementPolicy,
  PreparedImage,
  ProxmoxCluster,
  ProxmoxNode,
  Reference,
  Size,
  SpecError,
  type MachineProps,
  type ProxmoxClusterProps,
} from '../../constructs';
import { program, synthesized } from '../support/constructs/synthesized';

const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKkUVSHvSVvwXyE6kGfbzBRBOqFjCKoUwuFjlJTlVpTM';
const image = Image.blank();
const loose = (props: object): MachineProps => props as MachineProps;
const variable = (stack: TerraformStack): TerraformVariable => new TerraformVariable(stack, 'given', {});

interface Case {
  /** What is wrong. */
  why: string;
  build: (stack: TerraformStack, cluster: ProxmoxCluster) => unknown;
  cluster?: ProxmoxClusterProps;
  /** Parts of the message: where, the value, what is allowed, what to do. */
  says: string[];
}

const web = (props: object) => (stack: TerraformStack) =>
  new Machine(stack, 'web', loose({ image, ...props }));

const CASES: Case[] = [
  {
    why: 'a tag that is ours',
    build: web({ tags: ['PVR-x'] }),
    says: ['tags[0]: "PVR-x" is not valid', 'not with "pvr-"', 'Remove it: this program finds its machines'],
  },
  {
    why: 'an owner that Terraform would read as an expression',
    build: web({}),
    cluster: { owner: 'team "${x}"' },
    says: ['web/lab: ', 'owner: ', 'allowed: text on one line', 'Give another one'],
  },
  {
    why: 'an id twice in a cluster',
    build: stack => [1, 2].map(n => new Machine(stack, `m${n}`, { id: 'web', image })),
    says: ['web/m2: ', "'web'", 'taken by web/m1', 'unique in a cluster', 'give one of both another "id"'],
  },
  {
    why: 'a node of a machine outside of the cluster',
    build: web({ node: 'pve9' }),
    cluster: { nodes: ['pve1', 'pve2'] },
    says: ['web/web: ', 'machines[web].node', '"pve9"', 'allowed: pve1, pve2', 'Name one of them'],
  },
  {
    why: 'a ProxmoxNode outside of the cluster',
    build: stack => new ProxmoxNode(stack, 'pve9'),
    cluster: { nodes: ['pve1', 'pve2'] },
    says: ['web/pve9: ', "'pve9'", 'allowed: pve1, pve2', 'Name one of them, or add it to "nodes"'],
  },
  {
    why: 'a ProxmoxNode twice',
    build: stack => [1, 2].map(n => new ProxmoxNode(stack, `n${n}`, { nodeName: 'pve1' })),
    says: ['web/n2: ', "'pve1'", 'Keep one ProxmoxNode'],
  },
  {
    why: 'a storage and a bridge outside of the cluster',
    build: web({
      disks: [{ name: 'root', size: '8Gi', storage: 'slow' }],
      networks: [{ name: 'lan', bridge: 'vmbr9' }],
    }),
    cluster: { storages: ['fast'], networks: ['vmbr0'] },
    says: [
      'machines[web].disks[root].storage: "slow"',
      'allowed: fast',
      'networks[lan].bridge',
      'vmbr9',
      'allowed: vmbr0',
    ],
  },
  {
    why: 'a number out of its range',
    build: web({ cpu: { cores: 200 } }),
    says: ['web/web: ', 'machines[web].cpu.cores', '200', 'allowed: a whole number from 1 to 128'],
  },
  {
    why: 'a memory that is too small',
    build: web({ memory: '32Mi' }),
    says: ['machines[web].memory', '"32Mi"', 'allowed: a size of at least 64Mi', 'Raise it'],
  },
  {
    why: 'the name of a file in the place of a key',
    build: web({ cloudInit: { sshKeys: ['~/.ssh/id_ed25519.pub'] } }),
    says: [
      'sshKeys[0]: "~/.ssh/id_ed25519.pub"',
      'looks like the name of a file',
      'readFileSync(file, "utf8")',
    ],
  },
  {
    why: 'an image that is read from a variable which is not set',
    build: () => Image.fromTemplate(process.env['NOT_SET'] as string),
    says: ['Image.fromTemplate: its argument is undefined', 'environment variable not set'],
  },
  {
    why: 'a name in the place of what it waits for',
    build: web({ dependsOn: ['x'] }),
    says: ['web/web: dependsOn[0]: "x" is nothing that Terraform can wait for', 'Give the construct itself'],
  },
  {
    why: 'a VLAN out of its range',
    build: web({ networks: [{ name: 'lan', vlan: 5000 }] }),
    says: ['machines[web].networks[lan].vlan', '5000', '1 to 4094'],
  },
  {
    why: 'a word that is no choice',
    build: web({ power: 'on' }),
    says: ['machines[web].power', '"on"', 'running', 'stopped', 'unmanaged'],
  },
  {
    why: 'a default of a cluster out of its range, though no machine is there',
    build: () => undefined,
    cluster: { defaults: { cpu: { sockets: 9 } } },
    says: ['web/lab: ', 'cluster.defaults.cpu.sockets', '9', '1 to 4'],
  },
  {
    why: 'a class out of its range',
    build: () => new MachineClass({ name: 'huge', cpus: 500 }),
    says: ['MachineClass huge: ', 'classes[huge].cpus', '500', '1 to 128'],
  },
  {
    why: 'a placement that many machines would name, with a rule that compares with nothing',
    build: () => new PlacementPolicy({ name: 'apart', antiAffinity: [{ key: 'role', operator: 'In' }] }),
    says: ['PlacementPolicy apart: ', 'policies[apart].antiAffinity[0].values'],
  },
  {
    why: 'two clusters with one name',
    build: stack => new ProxmoxCluster(stack, 'other', { name: 'lab' }),
    says: ['web/other: ', "'lab'", 'as web/lab', 'give this one another "name"'],
  },
  {
    why: 'a machine without an image',
    build: stack => new Machine(stack, 'web', { memory: '1Gi' }),
    says: ['web/web: image: ', "'web'", 'allowed: an Image, or "adopt" with "vmid"', 'Image.fromTemplate'],
  },
  {
    why: 'a machine without an image that only has a vmid, for it would be born empty',
    build: stack => new Machine(stack, 'web', { vmid: 100 }),
    says: ['web/web: image: '],
  },
  {
    why: 'adopting without a vmid',
    build: stack => new Machine(stack, 'web', { adopt: true }),
    says: ['machines[web].vmid', 'required, as adopt is true'],
  },
  {
    why: 'an endpoint that only Terraform knows',
    build: stack => new ProxmoxCluster(stack, 'other', { endpoint: variable(stack).stringValue }),
    says: [
      'web/other: ',
      'cluster.endpoint',
      'only Terraform knows',
      'a destroy may name nothing',
      'PVE_ENDPOINT',
    ],
  },
  {
    why: 'an owner that only Terraform knows',
    build: stack => new ProxmoxCluster(stack, 'other', { owner: variable(stack).stringValue }),
    says: ['web/other: ', 'owner', 'only Terraform knows', 'Write the value itself'],
  },
  {
    why: 'an endpoint without https',
    build: stack => new ProxmoxCluster(stack, 'other', { endpoint: 'http://pve:8006' }),
    says: ['web/other: ', '"http://pve:8006"', 'https'],
  },
  {
    why: 'a cluster of another stack',
    build: (stack, cluster) =>
      new Machine(new TerraformStack(stack.node.root, 'second'), 'web', { cluster, image }),
    says: ['second/web: ', 'web/lab', "of the stack 'web'", "Make a ProxmoxCluster in the stack 'second'"],
  },
  {
    why: 'an image of a machine of another stack, though one of this stack has its id',
    build: (stack, cluster) => {
      const machine = new Machine(stack, 'base', { cluster, image });
      const second = new TerraformStack(stack.node.root, 'second');
      new ProxmoxCluster(second, 'lab');
      new Machine(second, 'base', { image });
      return new Machine(second, 'web', { image: Image.fromMachine(machine) });
    },
    says: ['second/web: image: its source web/base', "of the stack 'web'", 'Image.fromTemplate'],
  },
  {
    why: 'a prepared image of another stack',
    build: (stack, cluster) => {
      const checksum = `sha256:${'a'.repeat(64)}`;
      const url = 'https://example.com/debian.qcow2';
      const debian = new PreparedImage(stack, 'debian', { cluster, url, checksum, diskStorage: 'lvm' });
      const second = new TerraformStack(stack.node.root, 'second');
      new ProxmoxCluster(second, 'lab');
      return new Machine(second, 'web', { image: debian.image });
    },
    says: ['second/web: image: its source web/debian', "of the stack 'web'", 'Image.fromTemplate'],
  },
  {
    why: 'an image of a machine of another cluster',
    build: (stack, cluster) => {
      const other = new ProxmoxCluster(stack, 'other');
      const machine = new Machine(stack, 'base', { cluster: other, image });
      return new Machine(stack, 'web', { cluster, image: Image.fromMachine(machine) });
    },
    says: ['web/web: image: its source web/base', 'of another cluster of this stack'],
  },
  {
    why: 'a secret that is read later in user data',
    build: web({
      cloudInit: {
        userData: { write_files: [{ path: '/etc/key', content: Reference.fromEnvironment('KEY') }] },
      },
    }),
    says: [
      'web/web: cloudInit.userData.write_files[0].content: a Reference',
      'the text {"environment":"KEY"}',
      'give userDataFrom',
    ],
  },
  {
    why: 'a reference as the data of a default of the cluster',
    build: () => undefined,
    cluster: { defaults: { cloudInit: { vendorData: loose(Reference.fromFile('/run/key')) as never } } },
    says: ['web/lab: defaults.cloudInit.vendorData: a Reference', 'give vendorDataFrom'],
  },
  {
    why: 'a reference in a text',
    build: stack =>
      web({ cloudInit: { userData: `#cloud-config\nkey: ${String(Reference.fromFile('/run/key'))}\n` } })(
        stack,
      ),
    says: ['A Reference ({"file":"/run/key"}) stands in a text', 'userDataFrom'],
  },
  {
    why: 'a list that only Terraform knows, spread into another',
    build: stack => {
      const tags = new TerraformVariable(stack, 'given', { type: 'list(string)' });
      return web({ tags: [...Token.asList(tags.value), 'a'] })(stack);
    },
    says: ['web/web: tags: a list that only Terraform knows', 'Fn.concat([theList, ["another"]])'],
  },
  {
    why: 'a node of a cluster of another stack',
    build: (stack, cluster) =>
      new ProxmoxNode(new TerraformStack(stack.node.root, 'second'), 'pve1', { cluster }),
    says: ['second/pve1: ', 'web/lab', "of the stack 'web'"],
  },
  {
    why: 'a machine in a stack without a cluster',
    build: stack => new Machine(new TerraformStack(stack.node.root, 'second'), 'web', { image }),
    says: ['second/web: ', 'no ProxmoxCluster yet', 'Make one before its machines'],
  },
  {
    why: 'a machine that does not say which of two clusters',
    build: stack => {
      new ProxmoxCluster(stack, 'other');
      return new Machine(stack, 'web', { image });
    },
    says: ['web/web: ', 'web/lab, web/other', 'Say which one: "cluster"'],
  },
  {
    why: 'a cluster that is only a name',
    build: web({ cluster: 'lab' }),
    says: ['web/web: cluster: "lab" is no ProxmoxCluster', 'Give the construct'],
  },
  {
    why: 'a TerraformIterator as forEach',
    build: stack =>
      new Machine(stack, 'web', loose({ image, forEach: TerraformIterator.fromList(['a', 'b']) })),
    says: ['web/web: forEach', 'TerraformIterator', 'Write a loop in TypeScript'],
  },
  {
    why: "a TerraformIterator's value in a field",
    build: web({ description: TerraformIterator.fromList(['a', 'b']).value }),
    says: ['web/web: ', 'TerraformIterator', 'Write a loop in TypeScript'],
  },
  {
    why: 'an id that only Terraform knows',
    build: stack => new Machine(stack, 'web', { id: variable(stack).stringValue, image }),
    says: ['web/web: id: only Terraform knows', 'TerraformIterator'],
  },
  {
    why: 'a former id that only Terraform knows',
    build: stack => new Machine(stack, 'web', { formerIds: [variable(stack).stringValue], image }),
    says: ['web/web: formerIds', 'only Terraform knows'],
  },
  {
    why: 'an id with a character that no address may have',
    build: stack => new Machine(stack, 'web_1', { image }),
    says: ['web/web_1: ', '"web_1"', 'letters, digits and "-"', '"web-1"'],
  },
  {
    why: 'a label whose key only Terraform knows',
    build: stack => web({ labels: { [variable(stack).stringValue]: 'yes' } })(stack),
    says: ['web/web: labels: ', 'a key in it', 'Write the key'],
  },
  {
    why: 'a nested key that is a number only Terraform knows',
    build: stack =>
      web({ placement: { nodeSelector: { [`${variable(stack).numberValue}`]: 'yes' } } })(stack),
    says: ['web/web: placement: a key in it', 'allowed: keys that are written'],
  },
  {
    why: 'a description that does not fit with the mark',
    build: web({ description: 'x'.repeat(7000) }),
    says: ['machines[web].description', '7000 characters', 'allowed: at most 6655', 'Shorten it by 345'],
  },
  {
    why: 'user data that is no YAML',
    build: web({ cloudInit: { userData: '#cloud-config\npackages:\n\t- nginx\n' } }),
    says: ['web/web: machines[web].cloudInit.userData: ', 'at line 3, column 1: a tab indents this line'],
  },
  {
    why: 'user data without a header',
    build: web({ cloudInit: { userData: 'packages: [nginx]\n' } }),
    says: [
      'machines[web].cloudInit.userData',
      'begins with no line that cloud-init knows',
      '"#cloud-config"',
    ],
  },
  {
    why: 'more than 64 KiB of data',
    build: web({ cloudInit: { userData: `#!${'x'.repeat(65_535)}` } }),
    says: ['machines[web].cloudInit: ', 'holds 65537 bytes of data', 'at most 65536', 'Remove 1 bytes'],
  },
  {
    why: 'a spec of more than 100 KiB',
    build: web({
      cloudInit: { sshKeys: Array.from({ length: 300 }, (_, n) => `${SSH_KEY} ${'x'.repeat(302)} ${n}`) },
    }),
    says: [
      'web/web: the spec has 11',
      'allowed: at most 102400',
      'one environment variable',
      'cloudInit.sshKeys',
    ],
  },
  {
    why: 'a former id that another machine has',
    build: stack => {
      new Machine(stack, 'db', { image });
      return new Machine(stack, 'web', { image, formerIds: ['db'] });
    },
    says: ['web/web: machines[web].formerIds: "db"', 'machine "db"', 'an id of its own'],
  },
  {
    why: 'its own id as a former one',
    build: web({ formerIds: ['web'] }),
    says: ['machines[web].formerIds', '"web"', 'is the id of today', 'ids of the past'],
  },
  {
    why: 'a static address twice, in two spellings',
    build: stack => {
      new Machine(stack, 'a', { image, networks: [{ name: 'lan', ipv6: { address: '2001:db8::1/64' } }] });
      return new Machine(stack, 'b', {
        image,
        networks: [{ name: 'lan', staticIP: { address: '2001:0DB8::0001/64' } }],
      });
    },
    says: [
      'web/b: machines[b].networks[lan].staticIP.address',
      '2001:db8::1',
      'machine "a"',
      'an address of its own',
    ],
  },
  {
    why: 'a vmid and a MAC address twice',
    build: stack =>
      ['a', 'b'].map(
        id =>
          new Machine(stack, id, {
            image,
            vmid: 200,
            networks: [{ name: 'lan', macAddress: 'BC:24:11:00:00:01' }],
          }),
      ),
    says: ['web/b: machines[b].vmid: 200', 'web/b: machines[b].networks[lan].macAddress'],
  },
  {
    why: 'an image that is a machine of nobody',
    build: web({ image: Image.fromMachine('golden') }),
    says: ['web/web: machines[web].image.machine: "golden"', 'is no machine of this document'],
  },
  {
    why: 'a field that there is not, with the one that is meant',
    build: web({ memmory: '1Gi' }),
    says: ['web/web: machines[web].memmory', '"memory"'],
  },
  {
    why: 'a nested field that there is not',
    build: web({ disks: [{ name: 'root', size: '4Gi', iothreads: true }] }),
    says: ['machines[web].disks[root].iothreads', '"iothread"'],
  },
  {
    why: 'a field of a cluster that there is not',
    build: stack => new ProxmoxCluster(stack, 'other', { endPoint: 'https://pve' } as ProxmoxClusterProps),
    says: ['web/other: cluster.endPoint', '"endpoint"'],
  },
  {
    why: 'a network that the machine does not have',
    build: stack =>
      new Machine(stack, 'web', { image, networks: [{ name: 'lan' }, { name: 'dmz' }] }).macAddress('lam'),
    says: ["web/web: the machine has no network 'lam'", 'allowed: lan, dmz', "'lan'"],
  },
  {
    why: 'reading an address that the guest never tells',
    build: stack => new Machine(stack, 'web', { image, agent: false }).primaryIpAddress,
    says: ['web/web: primaryIpAddress', '"agent" is switched off', 'static address'],
  },
  {
    why: 'reading the addresses of a machine that stays off',
    build: stack => new Machine(stack, 'web', { image, power: 'stopped' }).ipAddresses,
    says: ['web/web: ipAddresses', '"power" is "stopped"'],
  },
];

test.each(CASES)('fails on $why', ({ build, cluster, says }) => {
  const synth = (): unknown => synthesized(build, cluster);
  expect(synth).toThrow();
  const told = messageOf(synth);
  for (const part of says) expect(told).toContain(part);
});

test('fails at the line that says it, with the place as a field of the error', () => {
  expect.assertions(2);
  try {
    program(stack => new Machine(stack, 'web', { image, memory: '1Ki' }));
  } catch (error) {
    expect(error).toBeInstanceOf(SpecError);
    expect(error).toMatchObject({ constructPath: 'web/web' });
  }
});

test('fails on an amount that is no size', () => {
  expect(() => Size.parse('4 gigs')).toThrow(/"4 gigs" is no size: write a whole number of bytes/);
  const { stack } = program(() => undefined);
  const given = variable(stack);
  for (const read of [
    () => Size.parse(given.stringValue),
    () => Size.parse(given.numberValue),
    () => Size.gibibytes(given.numberValue),
  ])
    expect(read).toThrow(/Only Terraform knows this size.* Pass the value itself/);
});

test('one name in two stacks, and one id in two clusters, are no error', () => {
  const { stack } = program((first, cluster) => {
    const second = new TerraformStack(first.node.root, 'second');
    new ProxmoxCluster(second, 'lab');
    new Machine(second, 'web', { image });
    const other = new ProxmoxCluster(first, 'other');
    for (const one of [cluster, other])
      new Machine(first, `on-${one.clusterName}`, { id: 'web', cluster: one, image });
  });
  const { resource } = JSON.parse(Testing.synth(stack, true)) as { resource: { null_resource: object } };
  expect(Object.keys(resource.null_resource).sort()).toEqual([
    'machine_lab_web',
    'machine_other_web',
    'machines_lab',
    'machines_other',
    'snapshots_lab',
    'snapshots_other',
  ]);
});

test('a map that Terraform knows as a whole is no error', () => {
  const { text } = synthesized(stack => {
    const labels = Token.asStringMap(variable(stack).value);
    new Machine(stack, 'web', { image, labels });
  });
  expect(text).toContain('var.given');
});

function messageOf(synth: () => unknown): string {
  try {
    synth();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test('an error is one sentence in a terminal, without a stack', () => {
  const thrown = (): unknown => {
    try {
      return program(stack => new Machine(stack, 'web', loose({ image, memory: 2048 })));
    } catch (error) {
      return error;
    }
  };
  expect(inspect(thrown())).toMatch(/^\[SpecError: [^\n]+Did you mean "2Gi" \(2048 MiB\)\?[^\n]*\]$/);
});
