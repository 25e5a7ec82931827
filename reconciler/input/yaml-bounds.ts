import type * as Yaml from 'yaml';
import { InputError } from '../errors';

// what aliases grow to: read-yaml.ts

/** A desired state of 10,000 machines as YAML has 8 MB in 360,000 lines; as manifests, 10,000 documents. */
const MOST = {
  bytes: 16 * 2 ** 20,
  lines: 1_000_000,
  documents: 15_000,
  tags: 1_000,
  anchors: 10_000,
  aliases: 10_000,
  levels: 200,
};
type Counted = keyof typeof MOST;

const REMEDY: Readonly<Record<Counted, string>> = {
  bytes: 'Divide it into several files, or give it as JSON.',
  lines: 'Divide it into several files, or give it as JSON.',
  documents: 'Divide it into several files.',
  tags: 'Remove them ("!name"): no document of ours has any.',
  anchors: 'Write out what they stand for ("&name").',
  aliases: 'Write out what they stand for ("*name").',
  levels: 'No document of ours is nested so deep: write it flat.',
};
const WORDS: Readonly<Record<Counted, string>> = {
  ...{ bytes: 'bytes', lines: 'lines', documents: 'documents', tags: 'tags' },
  ...{ anchors: 'anchors', aliases: 'aliases', levels: 'levels of brackets' },
};

/**
 * Throws where a text of YAML would take minutes and gigabytes to understand. Looks at its signs only, which takes a
 * part of the time.
 */
export function refuseHuge(yaml: typeof Yaml, text: string, name: string): void {
  const judge = (what: Counted, count: number): void => {
    if (count <= MOST[what]) return;
    throw new InputError(
      `${name} holds ${count} ${WORDS[what]} or more, and no more than ${MOST[what]} are read as YAML. ${REMEDY[what]}`,
    );
  };
  judge('bytes', Buffer.byteLength(text));
  judge('lines', linesIn(text));
  const counts: Record<Counted, number> = {
    ...{ bytes: 0, lines: 0, documents: 0, tags: 0, anchors: 0, aliases: 0, levels: 0 },
  };
  let isText = false;
  for (const sign of new yaml.Lexer().lex(text)) {
    const what = isText ? undefined : sign === '---' ? 'documents' : SIGNS[sign.charAt(0)];
    isText = sign === SCALAR;
    if (what !== undefined) judge(what, (counts[what] += 1));
    else if (sign === ']' || sign === '}') counts.levels -= 1;
  }
}

/** What the lexer gives before a text. */
const SCALAR = '\u001f';
const SIGNS: Readonly<Record<string, Counted | undefined>> = {
  ...{ '!': 'tags', '&': 'anchors', '*': 'aliases', '[': 'levels', '{': 'levels' },
};

function linesIn(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
