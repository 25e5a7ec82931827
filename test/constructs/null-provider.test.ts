import { Lazy, TerraformOutput, TerraformStack, Testing } from 'cdktf';
import * as published from '../../constructs/private/stack/null-provider';
import * as own from '../../constructs/private/stack/null-provider.cdktn';

type Bindings = typeof own;
type Program = (stack: TerraformStack, bindings: Bindings) => void;

/** What the constructs say of a null resource, and what a resource takes besides. */
const PROGRAMS: Record<string, Program> = {
  'a resource that says nothing': (stack, { NullProvider, NullResource }) => {
    new NullProvider(stack, 'null');
    new NullResource(stack, 'nothing');
  },
  'triggers, of texts and of what is known later': (stack, { NullProvider, NullResource }) => {
    new NullProvider(stack, 'null');
    const later = Lazy.stringValue({ produce: () => '${uuid()}' });
    const one = new NullResource(stack, 'one', { triggers: { owner: 'a "b"', key: '${each.key}', later } });
    new NullResource(stack, 'two', { triggers: { one: one.id } });
    new TerraformOutput(stack, 'id', { value: one.id });
  },
  'lifecycle, provisioners, order and number': (stack, { NullProvider, NullResource }) => {
    new NullProvider(stack, 'null');
    const one = new NullResource(stack, 'one', {
      triggers: { owner: 'a' },
      lifecycle: { ignoreChanges: ['triggers'], createBeforeDestroy: true },
      provisioners: [{ type: 'local-exec', command: 'true', when: 'destroy' }],
    });
    new NullResource(stack, 'two', { count: 2, dependsOn: [one, { fqn: 'null_resource.three' }] });
  },
  'a named provider, and what is overridden': (stack, { NullProvider, NullResource }) => {
    const provider = new NullProvider(stack, 'machines');
    const one = new NullResource(stack, 'one', { provider });
    one.overrideLogicalId('registry_lab');
    one.addOverride('provisioner', [{ 'local-exec': { command: 'apply' } }]);
    one.addOverride('for_each', '${toset(["a"])}');
  },
};

function synthesized(program: Program, bindings: Bindings): string {
  const stack = new TerraformStack(Testing.app(), 'web');
  program(stack, bindings);
  return Testing.synth(stack, true);
}

test.each(Object.entries(PROGRAMS))('%s: the same bytes as from the published bindings', (_, program) => {
  const text = synthesized(program, own);
  expect(text).toContain('null_resource');
  expect(text).toBe(synthesized(program, published as unknown as Bindings));
});

test('a resource without a provider is refused, as it is with the published bindings', () => {
  const bare: Program = (stack, { NullResource }) => void new NullResource(stack, 'one');
  for (const bindings of [own, published as unknown as Bindings]) {
    expect(() => synthesized(bare, bindings)).toThrow(/null/);
  }
});
