import { Lazy, Token, TerraformVariable } from 'cdktf';
import { Image, Machine } from '../../constructs';
import { synthesized } from '../support/constructs/synthesized';

test('a value that the program gives late stands in the spec as if it were written', () => {
  const later = (text: string): string => Lazy.stringValue({ produce: () => text });
  const { specText } = synthesized(stack => {
    const given = new TerraformVariable(stack, 'given', { type: 'string' });
    new Machine(stack, 'web', {
      image: Image.fromTemplate(later('debian-13')),
      name: later('a"b'),
      pool: `prod-${later('x')}`,
      description: `${later('1')} of ${given.stringValue} and ${later('ü"')}`,
      cpu: { cores: Lazy.numberValue({ produce: () => 3 }) },
      tags: Token.asList(Lazy.anyValue({ produce: () => ['b', 'a'] })),
      onBoot: Lazy.anyValue({ produce: () => true }),
    });
  });
  const DESCRIPTION = '"description":${jsonencode("1 of ${var.given} and \\u00fc\\u0022")},';
  expect(specText('web')).toContain(DESCRIPTION);
  expect(JSON.parse(specText('web').replace(DESCRIPTION, ''))).toEqual({
    ...{ id: 'web', image: { template: 'debian-13' }, name: 'a"b', pool: 'prod-x' },
    ...{ cpu: { cores: 3 }, tags: ['b', 'a'], onBoot: true },
  });
});
