/** A piece of a description that is ours: where it stands, and the JSON in it. */
export interface OurLine {
  start: number;
  end: number;
  /** Undefined: it is cut short. */
  json: string | undefined;
}

const BEGIN = '<!-- pvr:';
const END = ' -->';

/** What is left of a line of ours whose first letters were changed: keys that we write in this order, and nobody else. */
const REMAINS = /(?:<?!?-{0,2} ?\w{0,4}:?)\{[^\n]*"o":"[^\n]*"m":"[^\n]*"u":"[^\n]*/g;

/**
 * Finds each line of ours in a description, wherever somebody moved it: people write above it, below it, and beside it.
 * `isWhole` says whether a text that goes over more than one line is one of ours: else it ends with its first line.
 */
export function ourLines(description: string, isWhole: (json: string) => boolean): OurLine[] {
  const found: OurLine[] = [];
  for (let at = description.indexOf(BEGIN); at !== -1; at = description.indexOf(BEGIN, at)) {
    const line = lineAt(description, at, isWhole);
    found.push(line);
    at = Math.max(line.end, at + BEGIN.length);
  }
  if (found.length === 0 && description.includes('"u":"'))
    for (const { index, 0: text } of description.matchAll(REMAINS))
      found.push({ start: index, end: index + text.length, json: undefined });
  return found;
}

/** The description without these pieces, and without the lines that nothing else stands in. */
export function withoutLines(description: string, lines: readonly OurLine[]): string {
  let text = '';
  let from = 0;
  for (const line of lines) {
    const { start, end } = isAlone(description, line) ? widened(description, line, text === '') : line;
    text += description.slice(from, Math.max(from, start));
    from = Math.max(from, end);
  }
  return text + description.slice(from);
}

function lineAt(description: string, start: number, isWhole: (json: string) => boolean): OurLine {
  const newline = description.indexOf('\n', start);
  const endOfLine = newline === -1 ? description.length : newline;
  const close = description.indexOf(END, start);
  const json = description.slice(start + BEGIN.length, close);
  // a value never holds `-->`: whoever writes our line escapes it
  const isClosed = close !== -1 && (close < endOfLine || isWhole(json));
  return isClosed ? { start, end: close + END.length, json } : { start, end: endOfLine, json: undefined };
}

/** Whether nothing but blanks stands in the lines of this piece. */
function isAlone(description: string, { start, end }: OurLine): boolean {
  const before = description.slice(description.lastIndexOf('\n', start - 1) + 1, start);
  return start === 0 ? isBlank(after(description, end)) : isBlank(before) && isBlank(after(description, end));
}

function after(description: string, end: number): string {
  return description.slice(end).split('\n', 1)[0] ?? '';
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** The piece with its line break: the one before it, or of the first line the one behind it. */
function widened(description: string, { start, end }: OurLine, isFirst: boolean): Omit<OurLine, 'json'> {
  const before = description.lastIndexOf('\n', start - 1);
  const rest = end + after(description, end).length;
  if (start > 0 && before !== -1) return { start: before, end: rest };
  return { start: 0, end: isFirst && rest < description.length ? rest + 1 : rest };
}
