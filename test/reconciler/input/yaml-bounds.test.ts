import { readYaml } from '../../../reconciler/input/read-yaml';

const many = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('');

test.each<[string, () => string, RegExp]>([
  [
    'bytes',
    () => `a: ${'x'.repeat(17 * 2 ** 20)}`,
    /x\.yaml holds 1782\d+ bytes or more, and no more than 16777216/,
  ],
  ['lines', () => '\n'.repeat(1_100_000), /holds 1100001 lines or more, and no more than 1000000 .* as JSON/],
  [
    'documents',
    () => many(20_000, () => '---\na: 1\n'),
    /15001 documents or more, .* Divide it into several files/,
  ],
  ['tags', () => many(3_000, () => '- !x 1\n'), /1001 tags or more, .* Remove them \("!name"\)/],
  ['anchors', () => many(11_000, index => `- &a${index} 1\n`), /10001 anchors or more, .* Write out/],
  ['aliases', () => `- &a 1\n${many(11_000, () => '- *a\n')}`, /10001 aliases or more, .* Write out/],
  ['brackets', () => '['.repeat(50_000) + ']'.repeat(50_000), /201 levels of brackets or more/],
  ['dashes', () => `${'- '.repeat(100_000)}a`, /nested too deep|nested more than/],
])('too many %s are told with the bound, before they are understood', async (_, text, says) => {
  const read = readYaml(text(), 'x.yaml').then(({ faults }) => faults.join('\n'));
  expect(await read.catch((error: Error) => error.message)).toMatch(says);
});

test('signs within texts count for nothing', async () => {
  const script = many(3_000, () => '  if ! grep [ x; then [[[ & * {{ !; fi\n');
  const { documents, faults } = await readYaml(
    `a: |\n${script}b: "${'!x [ { & * '.repeat(1_000)}"\n`,
    'x.yaml',
  );
  expect([documents.length, faults]).toEqual([1, []]);
});
