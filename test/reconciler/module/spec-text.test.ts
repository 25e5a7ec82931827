import { canonical } from '../../../spec';
import { hclValue } from '../../../reconciler/report/hcl-value';
import { saidInHcl } from '../../../reconciler/module/from/spec-text';
import { partsOf, valueOf } from '../../../reconciler/module/from/template';

/** As the constructs write it: ASCII alone, and nothing that is a template. */
const said = (machine: object): string =>
  canonical(machine).replace(
    /[$%](?=\{)|[^ -~]/g,
    sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

test.each([
  ['plain values', { id: 'web', cpu: { cores: 2 }, tags: ['a', 'b'], agent: true }, true],
  ['quotes, backslashes and line ends', { description: 'a "b" \\ c\n\td' }, true],
  ['letters that are not ASCII', { description: 'Größe' }, false],
  ['signs that Terraform escapes for HTML', { description: '<b> & c' }, false],
  ['what begins an expression', { description: '${x} %{y} $${z}' }, false],
  ['a number with an exponent', { vmid: 1e21 }, false],
  ['a composed letter', { description: 'e\u0301' }, false],
])('%s', (_, machine, isSame) => {
  expect(saidInHcl(said(machine))).toMatchObject({ isSame });
});

test('what only Terraform knows stands in its place', () => {
  const text = String.raw`{"description":${'$'}{jsonencode("of ${'$'}{var.a}: }\"{")},"vmid":${'$'}{jsonencode(var.b)}}`;
  const { fields, isSame } = saidInHcl(text);
  expect(isSame).toBe(true);
  expect(hclValue(fields)).toBe(String.raw`{ description = "of ${'$'}{var.a}: }\"{", vmid = var.b }`);
});

test('what must be exact and holds what only Terraform knows is written as it stands', () => {
  const { isSame, text } = saidInHcl('{"description":"<b>","vmid":${jsonencode(var.b)}}');
  expect([isSame, text('').code]).toEqual([
    false,
    String.raw`"{\"description\":\"<b>\",\"vmid\":${'$'}{jsonencode(var.b)}}"`,
  ]);
});

test('a text that is no JSON is written as it stands', () => {
  expect(saidInHcl('${var.spec}').text('').code).toBe('"${var.spec}"');
});

test('a text of Terraform is taken apart', () => {
  expect(partsOf('a $${b} ${f("}${c}")} %%{d')).toEqual([
    { text: 'a ${b} ' },
    { expression: 'f("}${c}")' },
    { text: ' %{d' },
  ]);
  expect(hclValue(valueOf(['${var.a}', 'x "${var.b}"', 'c\n']))).toBe(
    String.raw`[var.a, "x \"${'$'}{var.b}\"", "c\n"]`,
  );
  expect(() => partsOf('%{ if true }x%{ endif }')).toThrow('directive');
  expect(() => partsOf('${f("')).toThrow('no end');
});
