/** Words beside which a secret stands, also within other words: what is hidden too often costs little. */
const SECRET_KEY = /pass(?!ive)|pwd|psk|secret|token|private|credential|authorization|bearer|api[-_]?key/i;
/** A hash of a password, a line of a key, a login in a URL: long, and no word of a language. */
const SECRET_VALUE = /\$\w{1,3}\$|-----BEGIN|[A-Za-z0-9+/=_-]{32,}|:\/\/[^/\s:@]+:[^@\s]+@/;
/** What names the value that stands beside it: a file of `write_files`, a variable, a patch. */
const NAMING = /^[{\s]*["']?(?:path|name|key)["']?\s*:/;

/** A line, where it is read in its text. */
interface Placed {
  raw: string;
  line: string;
  /** The items of lists that it belongs to, the innermost last. */
  items: readonly number[];
  isBelow: boolean;
}

/** What lines of a deeper column stand below. */
interface Open {
  column: number;
  items: readonly number[];
  isSecret: boolean;
}

/**
 * The lines of these texts that may hold a secret, each with what may be said of it. A line is judged with what it stands
 * below: the key of a block, the item of a list, a quotation or a here-document that goes on. This does not read YAML: a
 * text may be a script.
 */
export function secretLines(texts: readonly (readonly string[])[]): Map<string, string> {
  const hidden = new Map<string, string>();
  for (const lines of texts.map(placed)) {
    const named = new Set(lines.flatMap(({ line, items }) => (namesSecret(line) ? items.slice(-1) : [])));
    for (const { raw, line, items, isBelow } of lines)
      // what stands before a colon may be a part of the secret there
      if (isBelow || items.some(item => named.has(item))) hidden.set(raw, '(may be a secret)');
      else if (isSecret(line) && !hidden.has(raw)) hidden.set(raw, withKey(raw));
  }
  return hidden;
}

function placed(text: readonly string[]): Placed[] {
  let open: Open[] = [];
  let rest: Rest | undefined;
  return text.map((raw, at) => {
    const { column, dashes, line } = partsOf(raw);
    if (rest !== undefined) {
      rest = rest(line);
      return { raw, line, items: [], isBelow: true };
    }
    const within = open.filter(one => one.column < (dashes[0] ?? column));
    const isBelow = within.some(one => one.isSecret);
    const isItem = dashes.length > 0 || line.endsWith('{');
    const items = [...(within.at(-1)?.items ?? []), ...(isItem ? [at] : [])];
    // a comment ends no block, wherever it stands
    if (line.startsWith('#')) return { raw, line, items, isBelow };
    const isOne = isBelow || isSecret(line);
    const before = dashes.map(dash => ({ column: dash, items, isSecret: false }));
    // a command as a list: what follows its word is the secret
    const word = isOne && !line.includes(':') ? dashes.slice(-1) : [];
    const after = word.map(dash => ({ column: dash - 0.25, items, isSecret: true }));
    open = [...within, ...after, ...before, { column, items, isSecret: isOne }];
    if (isOne) rest = restOf(line);
    return { raw, line, items, isBelow };
  });
}

/** Where it begins. A dash belongs to the key at its own column, as YAML has it: so it stands half a column behind. */
function partsOf(raw: string): { column: number; dashes: number[]; line: string } {
  const dashes: number[] = [];
  let column = raw.search(/\S/);
  while (/^-(?:\s|$)/.test(raw.slice(column))) {
    dashes.push(column + 0.5);
    const next = raw.slice(column + 1).search(/\S/);
    if (next < 0) return { column: column + 1, dashes, line: '' };
    column += 1 + next;
  }
  return { column, dashes, line: raw.slice(column).trimEnd() };
}

/** Takes the next line of what goes on over lines; undefined: it has ended there. */
type Rest = (next: string) => Rest | undefined;

function restOf(line: string): Rest | undefined {
  if (line.includes('-----BEGIN')) return until(next => next.includes('-----END'));
  const [, word] = /(?<!<)<<-?\s*["']?(\w+)/.exec(line) ?? [];
  return word === undefined ? behind(line) : until(next => next === word);
}

function until(isEnd: (next: string) => boolean): Rest {
  const rest: Rest = next => (isEnd(next) ? undefined : rest);
  return rest;
}

/** What goes on behind a line that begins within such a quotation, or in none. */
function behind(line: string, within?: string): Rest | undefined {
  let quote = within;
  for (const sign of line.replaceAll(/\\./g, '').match(/["']/g) ?? [])
    if (quote === undefined) quote = sign;
    else if (quote === sign) quote = undefined;
  return quote === undefined && !line.endsWith('\\') ? undefined : next => behind(next, quote);
}

function isSecret(line: string): boolean {
  return SECRET_KEY.test(line) || SECRET_VALUE.test(line);
}

function namesSecret(line: string): boolean {
  return NAMING.test(line) && SECRET_KEY.test(line);
}

function withKey(raw: string): string {
  const [, key] = /^(\s*(?:- )?[\w.-]+:)/.exec(raw) ?? [];
  return `${key ?? ''} (may be a secret)`.trimStart();
}
