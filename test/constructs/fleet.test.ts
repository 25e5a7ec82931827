import { Resource } from '@cdktf/provider-null/lib/resource';
import { Image, Machine, ProxmoxNode } from '../../constructs';
import { synthesized } from '../support/constructs/synthesized';

const image = Image.blank();
const queryOf = (data: Record<string, unknown> | undefined) =>
  (data as { query: Record<string, string> }).query;

test('an observer that sees all machines is told of no others', () => {
  const { data } = synthesized(stack => void new Machine(stack, 'web', { image }));
  expect(queryOf(data()['observe_lab'])).not.toHaveProperty('fleet');
});

test('two observers are told of the same machines, without what only Terraform knows', () => {
  const { data } = synthesized(stack => {
    const other = new Resource(stack, 'other');
    new Machine(stack, 'app', { image, memory: '2Gi', description: other.id, tags: [other.id] });
    new Machine(stack, 'web', { image, memory: '1Gi', node: 'pve1', description: 'not for placement' });
  });
  const fleets = ['observe_lab', 'observe_lab_app'].map(name => queryOf(data()[name])['fleet'] ?? '');
  expect(fleets[0]).toBe(fleets[1]);
  expect(JSON.parse(fleets[0] ?? '')).toEqual({
    machines: [
      { id: 'app', image: { blank: true }, memory: 2 ** 31 },
      { id: 'web', image: { blank: true }, memory: 2 ** 30, node: 'pve1' },
    ],
    nodes: [],
  });
});

test('what is said about nodes reaches the observer and every apply', () => {
  const { data, resources } = synthesized((stack, cluster) => {
    new ProxmoxNode(stack, 'pve1', { cluster, maxVMs: 3 });
    new Machine(stack, 'web', { image });
  });
  const nodes = [{ nodeName: 'pve1', maxVMs: 3 }];
  expect(JSON.parse(queryOf(data()['observe_lab'])['fleet'] ?? '')).toMatchObject({ nodes });
  const [provisioner] = resources('null_resource')['machine_lab_web']?.['provisioner'] as {
    'local-exec': { environment: Record<string, string> };
  }[];
  expect(JSON.parse(provisioner?.['local-exec'].environment['PROXMOX_FLEET'] ?? '')).toEqual({
    machines: [],
    nodes,
  });
});
