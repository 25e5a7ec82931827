import { ref, Token, type TerraformStack } from 'cdktf';
import * as fc from 'fast-check';

/** A document as a program writes it, and as it must arrive. */
export interface Sent {
  given: unknown;
  expected: unknown;
}

/** A value that Terraform is given when it runs, under a name of its own. */
export type RunTime = Record<string, unknown>;

type Leaf = { kind: string; value?: unknown; before?: string; after?: string };
type Tree = Leaf | Tree[] | { tree: [string, Tree][] };

const PIECES = [
  ...[
    '"',
    '\\',
    "'",
    '$',
    '%',
    '{',
    '}',
    '${',
    '%{',
    '$${',
    '%%{',
    '$$${',
    '${var.run}',
    '%{ if true }',
    '~}',
  ],
  ...['\n', '\r', '\r\n', '\t', '\0', '\b', '\u001b', '\u007f', '\u0085', '\u00ad', '\u2028', '\u2029'],
  ...[
    'e',
    'n',
    'b',
    'c',
    '\u0301',
    '\u0323\u0307',
    '\u0338',
    '<',
    '>',
    '&',
    '=',
    '\ufeff',
    '\u212b',
    '\uac00',
  ],
  ...[
    '\u1112',
    '\u1161',
    '\u11ab',
    '😀',
    '\u{1d15e}',
    '\u{10ffff}',
    '\ud800',
    '\udfff',
    '👩‍👩‍👧',
    'ﬁ',
    '\u0344',
    '\u0605',
    '\u{110bd}',
  ],
  ...['${TfToken[', '#{TfToken', '-1.5e+300', '298', '1e5', 'u0041', '<<EOF', '/*', '#', '//'],
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map(pieces => pieces.join('')),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
);
const number = fc.oneof(
  fc.constantFrom(0, -0, 0.1, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, -(2 ** 63)),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);

// A byte sequence has no half characters: they become U+FFFD.
const wellFormed = (value: string): string => Buffer.from(value).toString();

/** As Terraform has all text: composed, and without half characters. */
function composed(value: string): string {
  return wellFormed(value).normalize('NFC');
}

// Terraform's jsonencode writes these as an escape whose last letter it then composes with the accent.
const broken = (value: string): boolean => /[\p{Cc}<>&\u2028\u2029]\p{M}/u.test(composed(value));
const given = text.map(value => wellFormed(value)).filter(value => !broken(value));

const leaf: fc.Arbitrary<Leaf> = fc.oneof(
  fc.record({ kind: fc.constant('literal'), value: text }),
  fc.record({ kind: fc.constant('literal'), value: fc.oneof(number, fc.boolean(), fc.constant(null)) }),
  fc.record({ kind: fc.constant('text'), value: given }),
  fc
    .record({ kind: fc.constant('mixed'), before: text, value: given, after: text })
    .filter(({ before, value, after }) => !broken(before + value + after)),
  fc.record({ kind: fc.constant('number'), value: number }),
  fc
    .record({ kind: fc.constant('number in text'), before: given, value: fc.integer(), after: given })
    .filter(({ before, value, after }) => !broken(`${before}${value}${after}`)),
  fc.record({ kind: fc.constant('boolean'), value: fc.boolean() }),
  fc.record({ kind: fc.constant('anything'), value: fc.constant(null) }),
  fc.record({ kind: fc.constant('list'), value: fc.array(given, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('map'), value: fc.dictionary(given, given, { maxKeys: 3 }) }),
);

/** Documents with everything that an encoder can get wrong, as trees of literals and of values of the run. */
export const nastyTree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>(tie => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(text, tie('tree')), { maxLength: 4, selector: ([key]) => wellFormed(key) })
      .map(tree => ({ tree })),
  ),
})).tree;

/** What a program says, what arrives, and what Terraform must be given when it runs. */
export function sentFrom(stack: TerraformStack, tree: Tree, runTime: RunTime): Sent {
  if (Array.isArray(tree)) {
    const parts = tree.map(part => sentFrom(stack, part, runTime));
    return { given: parts.map(part => part.given), expected: parts.map(part => part.expected) };
  }
  if ('tree' in tree) {
    const parts = tree.tree.map(([key, part]) => [key, sentFrom(stack, part, runTime)] as const);
    return {
      given: Object.fromEntries(parts.map(([key, part]) => [key, part.given])),
      expected: Object.fromEntries(parts.map(([key, part]) => [wellFormed(key), part.expected])),
    };
  }
  const { kind, value } = tree;
  if (kind === 'literal')
    return { given: value, expected: typeof value === 'string' ? wellFormed(value) : value };
  const name = `v${Object.keys(runTime).length}`;
  runTime[name] = value;
  return leafFrom(ref(`var.run["${name}"]`, stack), tree);
}

function leafFrom(token: ReturnType<typeof ref>, { kind, value, before = '', after = '' }: Leaf): Sent {
  const around = (): { expected: unknown } => ({ expected: arrived(`${before}${String(value)}${after}`) });
  switch (kind) {
    case 'text':
      return { given: Token.asString(token), expected: arrived(value) };
    case 'mixed':
      return { given: before + Token.asString(token) + after, ...around() };
    case 'number':
      return { given: Token.asNumber(token), expected: arrived(value) };
    case 'number in text':
      return { given: `${before}${Token.asNumber(token)}${after}`, ...around() };
    case 'list':
      return { given: Token.asList(token), expected: arrived(value) };
    case 'map':
      return { given: Token.asStringMap(token), expected: arrived(value) };
    default:
      return { given: token, expected: arrived(value) };
  }
}

function arrived(value: unknown): unknown {
  if (typeof value === 'string') return composed(value);
  if (Array.isArray(value)) return value.map(arrived);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [composed(key), arrived(part)]));
}
