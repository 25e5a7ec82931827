import * as fc from 'fast-check';
import { InputError } from '../../../reconciler/errors';
import { documentsOf } from '../../support/manifests/documents-of';
import type { Path } from '../../../spec';
import { anyText } from '../../support/random/any-text';
import { tries } from '../../support/random/tries';

const json = async (text: string): Promise<unknown[]> =>
  (await documentsOf(text, 'x.yaml')).map(document => document.json);

describe('what YAML 1.2 means by a text', () => {
  test.each<[reason: string, text: string, want: unknown[]]>([
    ['nothing', '', []],
    ['only a comment', '# later\n', []],
    [
      'documents that are empty between others',
      '---\na: 1\n---\n---\n# no\n---\nb: 2\n',
      [{ a: 1 }, { b: 2 }],
    ],
    ['JSON', '{"a": [1, "x", null, true]}', [{ a: [1, 'x', null, true] }]],
    ['JSON that tabs indent', '{\n\t"a": 1\n}', [{ a: 1 }]],
    [
      'yes, no, on, off, y and n, which are text',
      'a: [yes, no, On, off, y, n]',
      [{ a: ['yes', 'no', 'On', 'off', 'y', 'n'] }],
    ],
    ['true in each of its spellings', 'a: [true, True, TRUE]', [{ a: [true, true, true] }]],
    ['null in each of its spellings', 'a: [~, null, Null, ]\nb:', [{ a: [null, null, null], b: null }]],
    ['octal, hexadecimal and a power', 'a: [0o17, 0x1F, 1e3]', [{ a: [15, 31, 1000] }]],
    ['times and dates, which are text', 'a: [12:30:45, 2026-11-22]', [{ a: ['12:30:45', '2026-11-22'] }]],
    ['a quoted number with a leading 0', 'a: "017"', [{ a: '017' }]],
    ['the largest exact number', 'a: 9007199254740991', [{ a: 9007199254740991 }]],
    ['keys that are no words', '1: a\ntrue: b\n~: c', [{ '1': 'a', true: 'b', '~': 'c' }]],
    ['an alias', 'a: &x {b: 1}\nc: *x', [{ a: { b: 1 }, c: { b: 1 } }]],
    ['a merge', 'a: &x {b: 1, c: 1}\nd:\n  <<: *x\n  c: 2', [{ a: { b: 1, c: 1 }, d: { b: 1, c: 2 } }]],
    ['a block of text', 'a: |\n  #cloud-config\n  b: 1\n', [{ a: '#cloud-config\nb: 1\n' }]],
    ['a byte order mark', '\uFEFFa: 1', [{ a: 1 }]],
    ['Windows line ends', 'a: 1\r\nb: 2\r\n', [{ a: 1, b: 2 }]],
  ])('%s', async (_, text, want) => {
    expect(await json(text)).toEqual(want);
  });

  test('a key named like a method of every object is a key', async () => {
    const [value] = await json('__proto__: {a: 1}\nconstructor: 2');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });
});

const nine = (name: string): string => `[${Array.from({ length: 9 }, () => `*${name}`).join(', ')}]`;
const BOMB = `a: &a [x, x]\nb: &b ${nine('a')}\nc: &c ${nine('b')}\nd: ${nine('c')}\n`;

describe('what is refused, with its place, and nothing of the text', () => {
  test.each<[reason: string, text: string, says: RegExp]>([
    ['a tab', 'a:\n\tb: 1', /^x\.yaml:2:1: a tab indents this line/],
    ['a key twice', 'a: 1\nb: 2\na: 3', /^x\.yaml:3:1: this key stands in its mapping twice/],
    ['a key twice, deep within', 'x:\n  - {a: 1, b: 2, a: 3}', /^x\.yaml:2:18: this key stands/],
    ['a list that is not closed', 'a: [1, 2', /^x\.yaml:1:9: .*not closed/],
    ['a quote that is not closed', 'a: "1', /^x\.yaml:1:6: .*not closed/],
    ['a wrong indentation', 'a:\n    b: 1\n  c: 2', /^x\.yaml:3:\d+: /],
    ['an unknown tag', 'a: !secret b', /^x\.yaml:1:4: this tag .* is not known/],
    ['a tag of a language', 'a: !!python/object:os.system {}', /^x\.yaml:1:4: this tag/],
    ['a key that is a mapping', '? {a: b}\n: c', /^x\.yaml:1:3: this key is no plain text/],
    ['an octal number of YAML 1.1', 'a: 1\nb: 017', /^x\.yaml:2:4: a number with a leading 0 .*Quote it/],
    ['a number with a leading 0', 'a: 08', /^x\.yaml:1:4: a number with a leading 0/],
    ['a huge number', 'a: 12345678901234567890', /^x\.yaml:1:4: this number is too large to be read exactly/],
    ['an alias without an anchor', 'a: *b', /^x\.yaml:1:4: this alias .* has no anchor/],
    [
      'an alias within itself',
      'a: &a\n  b: [*a]',
      /^x\.yaml:2:7: this alias stands within what it stands for/,
    ],
    ['a merge of a list', '<<: [1]', /^x\.yaml:1:1: "<<" merges something that is no mapping/],
    ['aliases of aliases of aliases', BOMB, /^x\.yaml:1:1: its aliases .* make it too large/],
    [
      'a deep list',
      `a: ${'['.repeat(300)}${']'.repeat(300)}`,
      /^x\.yaml holds 201 levels of brackets or more, and no more than 200 are read/,
    ],
    [
      'a list far too deep',
      '['.repeat(100_000),
      /^x\.yaml(?::1:\d+)?:? ?.*(?:levels of brackets|not closed)/,
    ],
    ['an unknown escape', 'a: "\\q"', /^x\.yaml:1:\d+: this escape is not known/],
    ['the second document', 'a: 1\n---\nb: [', /^x\.yaml:3:5: /],
    ['a template of Helm', 'a: {{ .Values.name }}', /^x\.yaml:1:\d+: /],
  ])('%s', async (_, text, says) => {
    const error: unknown = await documentsOf(text, 'x.yaml').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InputError);
    expect(String((error as Error).message)).toMatch(says);
  });

  test('all that is wrong at once, and no word of what was written', async () => {
    const text = 'token: &t hunter2\n\tb: hunter2\n\tc: hunter2 : hunter2\n';
    const { message } = (await documentsOf(text, 'x.yaml').catch((caught: unknown) => caught)) as Error;
    expect(message.split('\n').length).toBeGreaterThan(1);
    expect(message).not.toContain('hunter2');
  });
});

describe('where a value stands', () => {
  const TEXT = [
    'version: 1',
    'machines:',
    '  - id: web',
    '    memory: 4Gi',
    '  - &db',
    '    id: db',
    '    disks: [{name: root}, {name: data}]',
    '  - <<: *db',
    '    id: copy',
    '    cpu: &cpu {cores: 2}',
    '---',
    'other: 1',
  ].join('\n');

  test.each<[path: Path, place: string]>([
    [[], '1:1'],
    [['version'], '1:1'],
    [['machines'], '2:1'],
    [['machines', 0], '3:5'],
    [['machines', 0, 'memory'], '4:5'],
    [['machines', 0, 'cpu', 'cores'], '3:5'],
    [['machines', 1, 'disks', 1], '7:27'],
    [['machines', 1, 'disks', 1, 'name'], '7:28'],
    [['machines', 2, 'cpu', 'cores'], '10:16'],
    [['machines', 2, 'disks', 0], '8:5'],
    [['machines', 9], '2:1'],
    [['nothing'], '1:1'],
  ])('%j stands at %s', async (path, place) => {
    const [document] = await documentsOf(TEXT, 'x.yaml');
    expect(document?.placeOf(path)).toBe(`x.yaml:${place}`);
  });

  test('in the second document too', async () => {
    const [, document] = await documentsOf(TEXT, 'x.yaml');
    expect(document?.placeOf(['other'])).toBe('x.yaml:12:1');
  });
});

/** Text that is nearly YAML: pieces of its syntax in any order. */
const nearly = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'b: ',
        ': ',
        '- ',
        '\n',
        '\n  ',
        '\n\t',
        '[',
        ']',
        '{',
        '}',
        ',',
        '&x ',
        '*x',
        '<<: ',
        '"',
        "'",
        '|\n',
        '>',
      ],
      ...[
        '---\n',
        '...\n',
        '!t ',
        '? ',
        '# c',
        '017',
        '1e999',
        '%YAML 1.1\n',
        '\u0000',
        '\r',
        '__proto__: ',
        '\\',
      ],
    ),
    { maxLength: 40 },
  )
  .map(pieces => pieces.join(''));

test('any text gives documents whose places can be told, or an error of input', () =>
  fc.assert(
    fc.asyncProperty(fc.oneof(nearly, anyText, fc.json()), async text => {
      try {
        for (const { placeOf } of await documentsOf(text, 'x.yaml')) {
          expect(placeOf(['a', 0, 'b'])).toMatch(/^x\.yaml:\d+:\d+$/);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
    }),
    tries(300),
  ));
