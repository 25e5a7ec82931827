import { Testing, TerraformStack } from 'cdktf';
import { ProxmoxCluster, RemovedCluster, type RemovedClusterProps } from '../../constructs';

function synthesized(build: (stack: TerraformStack) => void): Record<string, unknown> {
  const stack = new TerraformStack(Testing.app(), 'demo');
  build(stack);
  return JSON.parse(Testing.synth(stack, true)) as Record<string, unknown>;
}

const variables = (json: Record<string, unknown>): Record<string, string> => {
  const [{ provisioner }] = json['removed'] as [
    { provisioner: { 'local-exec': { environment: Record<string, string> } }[] },
  ];
  return provisioner[0]!['local-exec'].environment;
};

const removed = (props: RemovedClusterProps) => (stack: TerraformStack) =>
  void new RemovedCluster(stack, 'lab', props);

test('the registry is removed with a destroy that names only what the state knows', () => {
  const json = synthesized(removed({ endpoint: 'https://pve.example.com' }));
  expect(json['removed']).toMatchObject([
    {
      from: 'null_resource.machines_lab',
      lifecycle: { destroy: true },
      provisioner: [{ 'local-exec': { when: 'destroy', command: 'destroy' } }],
    },
  ]);
  expect(variables(json)).toMatchObject({
    PROXMOX_OWNER: '${self.triggers.owner}',
    PROXMOX_MACHINE: '${self.triggers.machine}',
    PROXMOX_ENTRY: '${lookup(self.triggers, "entry", self.id)}',
    PROXMOX_MAY_BE_RENAMED: 'yes',
  });
  expect(JSON.parse(variables(json)['PROXMOX_CLUSTER']!)).toMatchObject({ name: 'lab' });
  expect(json).not.toHaveProperty('resource');
});

test.each<[string, (stack: TerraformStack) => void]>([
  ['alone', removed({})],
  [
    'before another cluster',
    stack => {
      removed({})(stack);
      new ProxmoxCluster(stack, 'new');
    },
  ],
  [
    'after another cluster',
    stack => {
      new ProxmoxCluster(stack, 'new');
      removed({})(stack);
    },
  ],
])('the stack asks for an engine whose removed blocks destroy: %s', (_, build) => {
  expect(synthesized(build)['terraform']).toMatchObject({ required_version: '>= 1.10.0' });
  const without = synthesized(stack => void new ProxmoxCluster(stack, 'new'));
  expect(without['terraform']).toMatchObject({ required_version: '>= 1.9.0' });
});

test('an observer stands in the plan for it: nothing else there tells it from a cluster that was forgotten', () => {
  const query = { protocol: '1', cluster: '{"name":"lab"}', owner: '*' };
  expect(synthesized(removed({}))['data']).toMatchObject({ external: { observe_lab: { query } } });
});

test('beside another cluster each reads its own variables', () => {
  const json = synthesized(stack => {
    new ProxmoxCluster(stack, 'new');
    removed({})(stack);
  });
  expect(JSON.parse(variables(json)['PROXMOX_CLUSTER']!)).toEqual({
    name: 'lab',
    credentials: { prefix: 'PVE_LAB_' },
  });
});

test('fails when the cluster is still there', () => {
  const both = (stack: TerraformStack): void => {
    new ProxmoxCluster(stack, 'here', { name: 'lab' });
    removed({})(stack);
  };
  expect(() => synthesized(both)).toThrow(
    "demo/lab: the cluster 'lab' is in this stack already, as demo/here.",
  );
});

test('fails for a second cluster whose name differs only in case: both would read PVE_LAB_…', () => {
  const both = (stack: TerraformStack): void => {
    new ProxmoxCluster(stack, 'lab');
    new ProxmoxCluster(stack, 'LAB');
  };
  expect(() => synthesized(both)).toThrow(
    "demo/LAB: the cluster 'lab' is in this stack already, as demo/lab.",
  );
});
