import { Resource } from '@cdktf/provider-null/lib/resource';
import { TerraformOutput, TerraformVariable, type TerraformStack } from 'cdktf';
import {
  ExistingMachine,
  ExistingMachines,
  Image,
  Machine,
  type ExistingMachineProps,
} from '../../constructs';
import { synthesized } from '../support/constructs/synthesized';

const output = (stack: TerraformStack, id: string, value: unknown): void =>
  void new TerraformOutput(stack, id, { value, staticId: true });

test('it is one data source: it asks by what is said, and a condition tells what is wrong', () => {
  const { data, resources, text } = synthesized(stack => {
    new ExistingMachine(stack, 'db', { name: 'legacy-db', vmid: 100 });
  });
  expect(data()['existing_lab_db']).toMatchObject({
    program: expect.arrayContaining(['facts']) as unknown,
    query: { protocol: '1', existing: '{"id":"db","name":"legacy-db","vmid":100}' },
    lifecycle: {
      postcondition: [
        { condition: '${self.result.problem == ""}', error_message: 'existing db: ${self.result.problem}' },
      ],
    },
  });
  expect(Object.keys(resources('null_resource'))).toEqual(['machines_lab', 'snapshots_lab']);
  expect(text).not.toContain('"check": {\n    "existing');
});

test('its outputs are parts of what is told', () => {
  const { outputs } = synthesized(stack => {
    const db = new ExistingMachine(stack, 'db', { vmid: 100 });
    output(stack, 'vmid', db.vmid);
    output(stack, 'node', db.nodeName);
    output(stack, 'address', db.primaryIpAddress);
    output(stack, 'memory', db.memory);
    output(stack, 'tags', db.tags);
    const web = new ExistingMachines(stack, 'web', { tag: 'web' });
    output(stack, 'vmids', web.vmids);
    output(stack, 'backends', web.primaryIpAddresses);
    output(stack, 'count', web.count);
  });
  const db = 'jsondecode(data.external.existing_lab_db.result.outputs)';
  const web = 'jsondecode(data.external.existing_lab_web.result.outputs)';
  expect(Object.fromEntries(Object.entries(outputs()).map(([id, { value }]) => [id, value]))).toEqual({
    vmid: `\${${db}.vmid}`,
    node: `\${${db}.node}`,
    address: `\${${db}.primaryIpAddress}`,
    memory: `\${${db}.memory}`,
    tags: `\${${db}.tags}`,
    vmids: `\${[for x in ${web} : x.vmid]}`,
    backends: `\${[for x in ${web} : x.primaryIpAddress if x.primaryIpAddress != null]}`,
    count: `\${length(${web})}`,
  });
});

test('where an address is read, each plan warns that none is known; not where that cannot be decided yet', () => {
  const checks = (props: (stack: TerraformStack) => ExistingMachineProps): unknown => {
    const { text } = synthesized(stack => {
      const db = new ExistingMachine(stack, 'db', props(stack));
      output(stack, 'address', db.primaryIpAddress);
    });
    return (JSON.parse(text) as { check: Record<string, unknown> }).check['existing_lab_db'];
  };
  expect(checks(() => ({ tag: 'db' }))).toMatchObject({
    assert: [{ condition: '${data.external.existing_lab_db.result.whyNoAddress == ""}' }],
  });
  expect(checks(stack => ({ name: new Resource(stack, 'x', {}).id }))).toBeUndefined();
});

test('a machine that reads one is observed with the others: it is known at plan', () => {
  const { data } = synthesized(stack => {
    const db = new ExistingMachine(stack, 'db', {
      name: new TerraformVariable(stack, 'named', { type: 'string' }).stringValue,
    });
    new Machine(stack, 'web', { image: Image.blank(), description: `asks ${db.primaryIpAddress}` });
  });
  expect(Object.keys(data())).toEqual(['existing_lab_db', 'observe_lab']);
  expect(Object.keys(data()['observe_lab']!['query'] as object)).toContain('spec.web');
  expect(data()['existing_lab_db']).toMatchObject({
    query: { existing: '{"id":"db","name":${jsonencode(var.named)}}' },
  });
});

test('they stand in the desired state for people', () => {
  const { desiredState } = synthesized(stack => {
    new ExistingMachines(stack, 'web', { tag: 'web', atLeast: 1 });
    new ExistingMachine(stack, 'db', { id: 'database', vmid: 100 });
  });
  expect(desiredState()).toMatchObject({
    existing: [
      { id: 'database', vmid: 100 },
      { id: 'web', allWithTag: 'web', atLeast: 1 },
    ],
  });
});

test.each<[string, (stack: TerraformStack) => void, string]>([
  ['nothing said', stack => void new ExistingMachine(stack, 'db', {}), 'does not say which guest is meant'],
  ['a number out of range', stack => void new ExistingMachine(stack, 'db', { vmid: 99 }), '100 to 999999999'],
  ['no name', stack => void new ExistingMachine(stack, 'db', { name: 'a b' }), 'DNS labels'],
  [
    'no id for Terraform',
    stack => void new ExistingMachine(stack, 'my_db', { vmid: 100 }),
    'letters, digits',
  ],
  [
    'one id twice',
    stack => {
      new ExistingMachine(stack, 'db', { vmid: 100 });
      new ExistingMachines(stack, 'all', { id: 'db', tag: 'db' });
    },
    "the id 'db' is taken by web/db",
  ],
  [
    'a mistyped field',
    stack => void new ExistingMachine(stack, 'db', { nmae: 'db' } as unknown as ExistingMachineProps),
    'nmae',
  ],
])('fails: %s', (_, build, says) => {
  expect(() => synthesized(build)).toThrow(says);
});
