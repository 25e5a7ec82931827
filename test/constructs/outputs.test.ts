import { Fn, TerraformOutput, TerraformVariable, type TerraformStack } from 'cdktf';
import {
  Image,
  Machine,
  ProxmoxNode,
  type MachineProps,
  type NetworkProps,
  type ProxmoxCluster,
} from '../../constructs';
import { synthesized } from '../support/constructs/synthesized';

const image = Image.blank();

/** What a program reads of a machine, as it stands in the stack, and the stack. */
function read(props: MachineProps, of: (machine: Machine, stack: TerraformStack) => unknown) {
  const made = synthesized(stack => {
    const machine = new Machine(stack, 'web', { image, ...props });
    new TerraformOutput(stack, 'told', { value: of(machine, stack), staticId: true });
  });
  return { value: made.outputs()['told']?.['value'], data: made.data(), made };
}

const FACTS = 'data.external.facts_lab_web.result';

test('no facts are asked for when nobody reads an output', () => {
  const { data } = synthesized(stack => new Machine(stack, 'web', { image }));
  expect(Object.keys(data())).toEqual(['observe_lab']);
});

test('facts are asked for after the revision, once for all outputs of a machine', () => {
  const { data } = read({}, machine => [machine.uuid, machine.phase, machine.disks]);
  expect(Object.keys(data).sort()).toEqual(['facts_lab_web', 'observe_lab']);
  expect(data['facts_lab_web']).toMatchObject({
    query: { machine: 'web', revision: '${null_resource.machine_lab_web.id}' },
  });
});

test.each(['observe', 'paused'] as const)(
  'a machine that is not made as it says tells what the guest has: mode %s',
  mode => {
    const said = {
      mode,
      vmid: 200,
      name: 'other',
      networks: [{ name: 'lan', macAddress: 'bc-24-11-00-00-0a' }],
    };
    const { value } = read(said, machine => [machine.vmid, machine.guestName, machine.macAddress('lan')]);
    const fact = expect.stringContaining(FACTS);
    expect(value).toEqual([fact, fact, fact]);
  },
);

test('an adopted machine keeps its name, and tells the one that it has', () => {
  const { value } = read({ vmid: 200, adopt: true }, machine => [machine.vmid, machine.guestName]);
  expect(value).toEqual([200, expect.stringContaining(FACTS)]);
});

test.each<[string, MachineProps, (machine: Machine) => unknown, unknown]>([
  ['vmid', { vmid: 200 }, machine => machine.vmid, 200],
  ['name', { name: 'web.example.com' }, machine => machine.guestName, 'web.example.com'],
  ['id, as the name', {}, machine => machine.guestName, 'web'],
  [
    'MAC address, in its one spelling',
    { networks: [{ name: 'lan', macAddress: 'bc-24-11-00-00-0a' }] },
    machine => machine.macAddress('lan'),
    'BC:24:11:00:00:0A',
  ],
  ...(
    [
      [{ ipv4: { address: '192.0.2.10/24' } }, '192.0.2.10'],
      [{ staticIP: { address: '192.0.2.11/24' } }, '192.0.2.11'],
      [{ ipv6: { address: '2001:DB8::0010/64' } }, '2001:db8::10'],
      [{ ipv4: { address: '192.0.2.10/24' }, ipv6: { address: '2001:db8::10/64' } }, '192.0.2.10'],
      [{ ipv4: 'dhcp', ipv6: { address: '2001:db8::10/64' } }, '2001:db8::10'],
    ] as const
  ).map(([network, address]): [string, MachineProps, (machine: Machine) => unknown, unknown] => [
    `static address of ${JSON.stringify(network)}`,
    {
      networks: [
        { name: 'lan', ...network },
        { name: 'dmz', ipv4: { address: '198.51.100.1/24' } },
      ],
    },
    machine => machine.primaryIpAddress,
    address,
  ]),
])('what the program says is given as it is, without facts: %s', (_, props, of, wanted) => {
  const { value, data, made } = read(props, of);
  expect(value).toBe(wanted);
  expect(Object.keys(data)).toEqual(['observe_lab']);
  expect(made.spec('web')).not.toHaveProperty('waitFor');
});

test('what another resource gives to a machine is read from there, not from the machine', () => {
  const { value, data } = read({}, (_, stack) => {
    const given = new TerraformVariable(stack, 'given', {});
    const other = new Machine(stack, 'other', {
      image,
      vmid: given.numberValue,
      name: given.stringValue,
      networks: [{ name: 'lan', ipv4: { address: given.stringValue }, macAddress: given.stringValue }],
    });
    return [other.vmid, other.guestName, other.primaryIpAddress, other.macAddress('lan')];
  });
  expect(value).toEqual([
    '${var.given}',
    '${var.given}',
    '${element(split("/", var.given), 0)}',
    '${var.given}',
  ]);
  expect(Object.keys(data)).toEqual(['observe_lab']);
});

test.each<[string, (machine: Machine) => unknown, string]>([
  ['vmid', machine => machine.vmid, `jsondecode(lookup(${FACTS}, "vmid", "null"))`],
  ['nodeName', machine => machine.nodeName, `jsondecode(lookup(${FACTS}, "node", "null"))`],
  ['uuid', machine => machine.uuid, `jsondecode(lookup(${FACTS}, "uuid", "null"))`],
  ['phase', machine => machine.phase, `jsondecode(lookup(${FACTS}, "phase", "null"))`],
  ['powerState', machine => machine.powerState, `jsondecode(lookup(${FACTS}, "powerState", "null"))`],
  ['consoleUrl', machine => machine.consoleUrl, `jsondecode(lookup(${FACTS}, "consoleUrl", "null"))`],
  [
    'restartRequired',
    machine => machine.restartRequired,
    `jsondecode(lookup(${FACTS}, "restartRequired", "null"))`,
  ],
  [
    'pendingChanges',
    machine => machine.pendingChanges,
    `jsondecode(lookup(${FACTS}, "pendingChanges", "[]"))`,
  ],
  ['snapshots', machine => machine.snapshots, `jsondecode(lookup(${FACTS}, "snapshots", "[]"))`],
  ['disks', machine => machine.disks, `jsondecode(lookup(${FACTS}, "disks", "{}"))`],
  ['macAddresses', machine => machine.macAddresses, `jsondecode(lookup(${FACTS}, "macAddresses", "{}"))`],
  [
    'macAddress',
    machine => machine.macAddress('lan'),
    `lookup(jsondecode(lookup(${FACTS}, "macAddresses", "{}")), "lan", null)`,
  ],
])('what only the cluster knows is a fact: %s', (_, of, expression) => {
  const { value, data, made } = read({}, of);
  expect(value).toBe(`\${${expression}}`);
  expect(data['facts_lab_web']).toBeDefined();
  expect(made.spec('web')).not.toHaveProperty('waitFor');
});

test.each<[string, NetworkProps[] | undefined]>([
  ['no networks', undefined],
  ['DHCP', [{ name: 'lan', ipv4: 'dhcp' }]],
  [
    'a static address on the second card only',
    [{ name: 'lan' }, { name: 'dmz', ipv4: { address: '192.0.2.10/24' } }],
  ],
])('reading a dynamic address makes creating wait for one, and the facts fail without: %s', (_, networks) => {
  const { data, made } = read(
    networks === undefined ? {} : { networks },
    machine => machine.primaryIpAddress,
  );
  expect(made.spec('web')).toMatchObject({ waitFor: 'address' });
  expect(data['facts_lab_web']).toMatchObject({ query: { required: 'ipAddresses' } });
  expect(data['observe_lab']).toMatchObject({ query: { 'reads.web': 'ipAddresses' } });
  const provisioner = [{ 'local-exec': { environment: { PROXMOX_READS: 'ipAddresses' } } }];
  expect(made.resources('null_resource')['machine_lab_web']).toMatchObject({ provisioner });
});

test('nothing says that an address is read where none is', () => {
  const { made } = read({}, machine => machine.conditions);
  const text = JSON.stringify([made.data(), made.resources('null_resource')]);
  expect(text).not.toMatch(/PROXMOX_READS|reads\.web/);
});

test.each<[string, MachineProps, string | undefined]>([
  ['with an agent', {}, 'address'],
  ['without', { agent: false }, undefined],
])(
  'conditions speak of the network, so creating waits for an address where there is one: %s',
  (_, props, waits) => {
    const { value, data, made } = read(props, machine => machine.conditions);
    expect(value).toBe(`\${jsondecode(lookup(${FACTS}, "conditions", "[]"))}`);
    expect(made.spec('web')['waitFor']).toBe(waits);
    expect(data['facts_lab_web']).not.toHaveProperty('query.required');
  },
);

test('what the program waits for stays, also when it reads an address', () => {
  const filter = { address: { family: 'ipv6' } } as const;
  const { made } = read({ waitFor: filter }, machine => machine.ipAddresses);
  expect(made.spec('web')).toMatchObject({ waitFor: filter });
});

test('outputs fit into other resources: a name into a list, an address into a text, a number into a field', () => {
  const { value, made } = read({}, (machine, stack) => {
    new Machine(stack, 'db', {
      image,
      description: `beside ${machine.nodeName}`,
      cpu: { cores: machine.vmid },
    });
    return Fn.join(',', machine.ipAddresses);
  });
  expect(value).toBe(`\${join(",", jsondecode(lookup(${FACTS}, "ipAddresses", "[]")))}`);
  expect(made.specText('db')).toContain(`beside \${jsondecode(lookup(${FACTS}`);
});

test('outputs of the cluster and of nodes share one question, which waits for nothing', () => {
  const made = synthesized((stack, cluster) => {
    const node = new ProxmoxNode(stack, 'pve1');
    new TerraformOutput(stack, 'told', {
      staticId: true,
      value: [...of(cluster), node.ready, node.resources],
    });
  });
  const nodes = 'jsondecode(lookup(data.external.facts_lab.result, "nodes", "[]"))';
  expect(made.outputs()['told']?.['value']).toEqual([
    '${jsondecode(lookup(data.external.facts_lab.result, "ready", "null"))}',
    '${jsondecode(lookup(data.external.facts_lab.result, "version", "null"))}',
    '${jsondecode(lookup(data.external.facts_lab.result, "quorate", "null"))}',
    `\${one([for node in ${nodes} : node.ready if node.name == "pve1"])}`,
    `\${one([for node in ${nodes} : node.resources if node.name == "pve1"])}`,
  ]);
  expect(made.data()['facts_lab']).not.toHaveProperty('depends_on');
  expect(made.data()).not.toHaveProperty('counts_lab');
});

const of = (cluster: ProxmoxCluster): unknown[] => [cluster.ready, cluster.version, cluster.quorate];

test('a count of guests is asked for after all machines, whatever their order in the program', () => {
  const made = synthesized(stack => {
    const node = new ProxmoxNode(stack, 'pve1');
    new TerraformOutput(stack, 'told', { staticId: true, value: node.vmCount });
    new Machine(stack, 'web', { image });
    new Machine(stack, 'db', { image });
  });
  expect(made.data()['counts_lab']).toMatchObject({
    depends_on: [
      'null_resource.machines_lab',
      'null_resource.machine_lab_db',
      'null_resource.machine_lab_web',
    ],
  });
});
