import { Testing, TerraformOutput, TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import { ProxmoxCluster } from '../../constructs';
import { Cluster } from '../../constructs/private/cluster/cluster';
import { Facts } from '../../constructs/private/resources/facts';

function query(read: (facts: Facts) => void): Record<string, string> | undefined {
  const stack = new TerraformStack(Testing.app(), 'demo');
  const cluster = Cluster.of(new ProxmoxCluster(stack, 'lab'));
  const facts = new Facts(cluster, new Construct(stack, 'web'), {
    machine: 'web',
    query: () => ({ machine: 'web' }),
  });
  read(facts);
  new TerraformOutput(stack, 'other', { value: 1 });
  const json = JSON.parse(Testing.synth(stack, true)) as {
    data?: { external: Record<string, { query: Record<string, string> }> };
  };
  return json.data?.external['facts_lab_web']?.query;
}

test('facts that nobody reads are not asked for, whatever they would require', () => {
  expect(query(facts => facts.require('vmid'))).toBeUndefined();
});

test('what is required is asked for by name, each once and in order', () => {
  const asked = query(facts => {
    facts.text('uuid');
    ['vmid', 'ipAddresses', 'vmid'].forEach(name => facts.require(name));
  });
  expect(asked).toMatchObject({ machine: 'web', required: 'ipAddresses,vmid' });
  expect(query(facts => facts.text('uuid'))).not.toHaveProperty('required');
});
