import type * as Yaml from 'yaml';

/** What is wrong with a text, and what to do. Nothing of the text stands in it, for that may be a secret. */
export interface Says {
  reason: string;
  remedy: string;
}

/** What the parser's codes mean. Its own sentences repeat parts of the text. */
const SAYS: Readonly<Record<string, Says>> = {
  TAB_AS_INDENT: { reason: 'a tab indents this line', remedy: 'YAML takes spaces only.' },
  BAD_INDENT: {
    reason: 'this line is not indented as those around it need, or a bracket before it is not closed',
    remedy: 'Mend that.',
  },
  DUPLICATE_KEY: { reason: 'this key stands in its mapping twice', remedy: 'Keep one of them.' },
  NON_STRING_KEY: { reason: 'this key is no plain text', remedy: 'Write the key as one word.' },
  MISSING_CHAR: {
    reason:
      'a sign is missing, or something is not closed: ":" and a space after a key, a space after "-", a quote, "]" or "}"',
    remedy: 'Write the sign here, or in the lines before.',
  },
  TAG_RESOLVE_FAILED: { reason: 'this tag ("!name") is not known', remedy: 'Remove it.' },
  BAD_DQ_ESCAPE: {
    reason: 'this escape is not known within double quotes',
    remedy: 'Write "\\\\" for a backslash.',
  },
  RESOURCE_EXHAUSTION: { reason: 'is nested too deep to be read', remedy: 'Make it flatter.' },
};
const OTHERWISE: Says = {
  reason: 'is no valid YAML from here on',
  remedy: 'Mend this line, or the one before it.',
};

/** What an error of the parser `yaml` means. */
export function yamlSays(code: string): Says {
  return SAYS[code] ?? OTHERWISE;
}

/** Where a text stops being one mapping of YAML: line and column from 1. */
export interface YamlFault extends Says {
  line: number;
  column: number;
}

/** Why a text is not one mapping, to a reader such as PyYAML. Undefined: it is one, or empty. */
export function mappingFault(text: string): YamlFault | undefined {
  const lines = text.split('\n');
  const first = faultOf(text);
  let fault = first;
  // PyYAML takes lines within brackets or quotes wherever they begin; this parser wants them indented
  for (let tries = 0; tries < MOST_LINES && fault?.within !== undefined; tries += 1) {
    const { within } = fault;
    const line = lines[within];
    if (line === undefined) return first;
    lines[within] = `${FAR}${line}`;
    fault = faultOf(lines.join('\n'));
    if (fault?.within !== undefined && fault.within <= within)
      return within < lines.length - 1 ? undefined : first;
  }
  return fault === undefined || fault.within !== undefined ? undefined : first;
}

/** So many lines are looked at; a text with more of them is not judged. */
const MOST_LINES = 50;
const FAR = ' '.repeat(40);

/** `within`: the line, from 0, that begins too far left for what was opened before it. */
function faultOf(text: string): (YamlFault & { within?: number }) | undefined {
  const yaml = parser();
  const lines = new yaml.LineCounter();
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false, logLevel: 'silent' } as const;
  const [first, second] = [...yaml.parseAllDocuments(text, { ...options, version: '1.1' })];
  const placed = (offset: number, says: Says): YamlFault => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col, ...says };
  };
  const [error] = (first?.errors ?? []).filter(({ message }) => !TAKEN_ELSEWHERE.test(message));
  if (error !== undefined) {
    const fault = placed(error.pos[0], yamlSays(error.code));
    if (/^Flow .* sufficiently indented/.test(error.message)) return { ...fault, within: fault.line - 1 };
    return /^Missing closing .quote/.test(error.message) ? { ...fault, within: fault.line } : fault;
  }
  if (second !== undefined) return placed(second.range[0], ONE);
  const content = first?.contents ?? null;
  const isMapping =
    yaml.isMap(content) || content === null || (yaml.isScalar(content) && content.value === null);
  return isMapping ? undefined : placed(content.range[0], NO_MAPPING);
}

/** PyYAML reads a comment directly behind a bracket. */
const TAKEN_ELSEWHERE = /^Comments must be separated/;
const ONE: Says = { reason: 'a second document begins here', remedy: 'Keep one of them.' };
const NO_MAPPING: Says = {
  reason: 'this is no mapping, such as "key: value"',
  remedy: 'Write keys with values.',
};

/** The parser takes as long to load as all of the spec, and few specs need it. */
function parser(): typeof Yaml {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the spec is read in one go, and import() is not
  return require('yaml');
}
