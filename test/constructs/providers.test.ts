import { NullProvider } from '@cdktf/provider-null/lib/provider';
import { TerraformProvider, TerraformStack, Testing } from 'cdktf';
import { Image, Machine, ProxmoxCluster } from '../../constructs';

/** A provider whose bindings are not installed here. */
class Configured extends TerraformProvider {
  protected override synthesizeAttributes(): Record<string, unknown> {
    return {};
  }
}

type Json = Record<string, unknown>;
type Make = (stack: TerraformStack) => unknown;

const cluster: Make = stack => {
  new ProxmoxCluster(stack, 'lab');
  return new Machine(stack, 'web', { image: Image.blank() });
};
const external: Make = stack =>
  new Configured(stack, 'external', {
    terraformResourceType: 'external',
    terraformGeneratorMetadata: { providerName: 'external', providerVersion: '2.3.5' },
    terraformProviderSource: 'external',
  });

function synthesized(makers: Make[]): { provider: Json; terraform: Json } {
  const stack = new TerraformStack(Testing.app(), 'web');
  makers.forEach(make => make(stack));
  return JSON.parse(Testing.synth(stack, true)) as { provider: Json; terraform: Json };
}

const inBothOrders = (made: Make): [string, Make[]][] => [
  ['before the cluster', [made, cluster]],
  ['after the cluster', [cluster, made]],
];

describe.each(['null', 'Null', 'machines'])('a null provider of the program named %s', id => {
  test.each(inBothOrders(stack => new NullProvider(stack, id)))('is used when it is made %s', (_, makers) => {
    expect(synthesized(makers).provider).toEqual({ null: [{}] });
  });
});

test.each(inBothOrders(stack => new NullProvider(stack, 'null', { alias: 'x' })))(
  'with an alias, made %s, it is used too',
  (_, makers) => expect(synthesized(makers).provider).toEqual({ null: [{ alias: 'x' }] }),
);

test.each(inBothOrders(external))('an external provider of the program, made %s, stays', (_, makers) => {
  const { provider, terraform } = synthesized(makers);
  expect(provider).toEqual({ external: [{}], null: [{}] });
  expect(Object.keys(terraform['required_providers'] as Json).sort()).toEqual(['external', 'null']);
});

test('without one the stack has its own, and synthesizing again adds none', () => {
  const stack = new TerraformStack(Testing.app(), 'web');
  cluster(stack);
  const [first, second] = [Testing.synth(stack, true), Testing.synth(stack, true)];
  expect((JSON.parse(first) as { provider: Json }).provider).toEqual({ null: [{}] });
  expect(second).toBe(first);
});

test('another construct may be called as our provider was', () => {
  const { provider } = synthesized([
    stack => new Configured(stack, 'null', { terraformResourceType: 'other' }),
    cluster,
  ]);
  expect(provider).toMatchObject({ null: [{}] });
});
