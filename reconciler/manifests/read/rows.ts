import { closest, isRecord, type Path } from '../../../spec';
import { Draft } from './draft';
import type { Manifest } from './manifest';
import type { Problems } from './problems';

/** What becomes of one field of a manifest. */
export type FieldRow =
  /** It goes there: field names with dots between them, numbers for places of a list; `beside` comes with it. */
  | { to: string; beside?: Readonly<Record<string, unknown>> }
  /** One of these words, and what each means. */
  | { to: string; words: Readonly<Record<string, unknown>> }
  /** An object, whose fields have rows of their own. */
  | { within: Rows }
  /** A list of objects. An entry without a name is called `unnamed` and its number. */
  | { each: Rows; takes: readonly string[]; to: string; unnamed: string }
  /** It is read elsewhere. */
  | 'read'
  /** It is accepted and does nothing: the sentence that says so. `words`: what it may be. */
  | { nothing: string; words?: readonly string[] }
  /** It is refused: what to do instead. */
  | { not: string };

export type Rows = Readonly<Record<string, FieldRow>>;

/** Who is told what is found in manifests. */
export interface Telling {
  problems: Problems;
  /** What is accepted and does nothing. */
  notes: string[];
}

/** What reading a manifest by its rows works with. */
export interface Reading extends Telling {
  manifest: Manifest;
}

/** Writes the fields of an object of a manifest into a draft. `takes`: fields that go there as they are. */
export function readRows(
  reading: Reading,
  draft: Draft,
  { rows, takes = [] }: { rows: Rows; takes?: readonly string[] },
  fields: Readonly<Record<string, unknown>>,
  at: Path,
): void {
  for (const [key, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue;
    const path = [...at, key];
    const row = Object.hasOwn(rows, key) ? rows[key] : takes.includes(key) ? { to: key } : undefined;
    if (row === undefined)
      reading.problems.add(reading.manifest, unknownField(path, [...Object.keys(rows), ...takes]));
    else readRow(reading, draft, row, value, path);
  }
}

function readRow(reading: Reading, draft: Draft, row: FieldRow, value: unknown, path: Path): void {
  const { manifest, problems, notes } = reading;
  if (row === 'read') return;
  if ('not' in row) problems.add(manifest, { path, reason: 'has no meaning here', remedy: row.not });
  else if ('nothing' in row) {
    notes.push(`${manifest.kind} ${manifest.name}: ${row.nothing}`);
    if (row.words !== undefined && !row.words.some(word => word === value))
      wrongWord(reading, row.words, value, path);
  } else if ('within' in row) {
    if (isRecord(value)) readRows(reading, draft, { rows: row.within }, value, path);
    else problems.add(manifest, { path, allowed: 'an object', remedy: 'Make it one.' });
  } else if ('each' in row) readEach(reading, draft, row, value, path);
  else if ('words' in row) readWord(reading, draft, row, value, path);
  else {
    put(reading, draft, row.to, value, path);
    Object.entries(row.beside ?? {}).forEach(([to, with_]) => put(reading, draft, to, with_, path));
  }
}

function readEach(
  reading: Reading,
  draft: Draft,
  { each, takes, to, unnamed }: Extract<FieldRow, { each: Rows }>,
  value: unknown,
  path: Path,
): void {
  if (!Array.isArray(value)) return put(reading, draft, to, value, path);
  const inner = value.map((entry: unknown, index) => {
    const own = new Draft();
    if (!isRecord(entry)) return { own, json: entry };
    readRows(reading, own, { rows: each, takes }, entry, [...path, index]);
    own.set(['name'], `${unnamed}${index}`, [...path, index]);
    return { own, json: own.json };
  });
  const list = inner.map(({ json }) => json);
  put(reading, draft, to, list, path);
  inner.forEach(({ own }, index) => draft.adopt([...pathOf(to), index], own));
}

function readWord(
  reading: Reading,
  draft: Draft,
  { to, words }: Extract<FieldRow, { words: object }>,
  value: unknown,
  path: Path,
): void {
  if (typeof value === 'string' && Object.hasOwn(words, value))
    return put(reading, draft, to, words[value], path);
  wrongWord(reading, Object.keys(words), value, path);
}

function wrongWord(
  { problems, manifest }: Reading,
  words: readonly string[],
  value: unknown,
  path: Path,
): void {
  const allowed = words.map(word => `"${word}"`).join(', ');
  const remedy = typeof value === 'string' ? 'Use one of them.' : 'Put one of them in quotes.';
  problems.add(manifest, { path, shown: true, allowed, remedy });
}

/** Writes one field into a draft. Where another said it already, that is reported. */
export function put(
  { manifest, problems }: Reading,
  draft: Draft,
  to: string,
  value: unknown,
  path: Path,
): void {
  const earlier = draft.set(pathOf(to), value, path);
  if (earlier === undefined) return;
  const other = earlier.join('.');
  problems.add(manifest, { path, reason: `says what ${other} says too`, remedy: 'Keep one of both.' });
}

function pathOf(to: string): Path {
  return to.split('.').map(key => (/^\d+$/.test(key) ? Number(key) : key));
}

/** A field that nobody knows: with the one that was meant, or with all that there are. */
export function unknownField(path: Path, known: readonly string[]) {
  const near = closest(String(path.at(-1)), known);
  return {
    path,
    reason: 'is no known field',
    allowed: known.length > 24 && near !== undefined ? undefined : known.join(', '),
    remedy: near === undefined ? 'Remove it.' : `Did you mean "${near}"?`,
  };
}
