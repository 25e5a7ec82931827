import { Resource } from '@cdktf/provider-null/lib/resource';
import { Testing, TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster, ProxmoxNode } from '../../constructs';

const image = Image.blank();

function fleets(build: (stack: TerraformStack) => void): Record<string, unknown> {
  const stack = new TerraformStack(Testing.app(), 'demo');
  new ProxmoxCluster(stack, 'lab');
  build(stack);
  const json = JSON.parse(Testing.synth(stack, true)) as {
    data: { external: Record<string, { query: { fleet?: string } }> };
  };
  return Object.fromEntries(
    Object.entries(json.data.external).map(([name, { query }]) => [
      name,
      query.fleet === undefined ? undefined : (JSON.parse(query.fleet) as unknown),
    ]),
  );
}

test('an observer that is asked for all machines needs no fleet', () => {
  const asked = fleets(stack => void new Machine(stack, 'web', { image }));
  expect(asked).toEqual({ observe_lab: undefined });
});

test('each of several observers knows all machines, without what is unknown', () => {
  const asked = fleets(stack => {
    const { id } = new Resource(stack, 'mine');
    new Machine(stack, 'web', { image, memory: '1Gi', description: 'not for placement' });
    new Machine(stack, 'db', { image, cpu: { cores: 2 }, tags: [id] });
  });
  const fleet = {
    machines: [
      { id: 'db', image: { blank: true }, cpu: { cores: 2 } },
      { id: 'web', image: { blank: true }, memory: 1024 ** 3 },
    ],
  };
  expect(asked).toEqual({ observe_lab: fleet, observe_lab_db: fleet });
});

test('what is said of nodes reaches the observer', () => {
  const asked = fleets(stack => {
    new ProxmoxNode(stack, 'node', { nodeName: 'pve1', schedulable: false });
    new Machine(stack, 'web', { image });
  });
  expect(asked['observe_lab']).toMatchObject({ nodes: [{ nodeName: 'pve1', schedulable: false }] });
});
