import { InputError } from '../../errors';
import { utf8Text } from '../../input/file-text';
import type { Options, Surroundings } from '../../input/surroundings';
import { atStore, type StoredSet, type Version } from '../../postgres/store';
import { EXIT } from '../../report/exit-code';
import { table } from '../../report/status-table';
import { storedOption } from './stored-option';
import { versionNumber } from './version-number';

/** Prints a stored desired state to the byte, or who stored which version and why. */
export async function get(around: Surroundings, options: Options): Promise<number> {
  const { place } = storedOption('get', options);
  const number = numberOf(options);
  return atStore(place, store =>
    options.history === true ? tellHistory(around, options, store) : tellText(around, options, store, number),
  );
}

function numberOf({ version, history }: Options): number | undefined {
  if (version !== undefined && history === true)
    throw new InputError('get: --history tells of all versions: remove it, or --version.');
  return versionNumber('get: --version', version, { least: 1 });
}

async function tellText(
  { out, outExact = out, reporter }: Surroundings,
  { json }: Options,
  store: StoredSet,
  number: number | undefined,
): Promise<number> {
  const stored = await store.read(number);
  if (stored === undefined) throw new InputError(await nothing(store, number));
  const text = utf8Text(stored.document, store.title);
  if (json !== true) outExact(text);
  else out(`${JSON.stringify({ ...toldOf(stored), text })}\n`);
  if (json !== true && number === undefined)
    reporter.say(
      'info',
      `This is version ${stored.version} of ${store.title}. Store what you make of it with put --after ${stored.version}: then nothing is stored over a newer one.`,
    );
  return EXIT.done;
}

async function nothing(store: StoredSet, number: number | undefined): Promise<string> {
  const newest = await store.newest();
  if (newest === undefined) return store.emptyText;
  return `${store.title} has no version ${number}: the newest is ${newest.version}. get --history tells which there are.`;
}

async function tellHistory({ out }: Surroundings, { json }: Options, store: StoredSet): Promise<number> {
  const all = await store.history();
  if (all.length === 0) throw new InputError(await nothing(store, undefined));
  if (json === true) out(`${JSON.stringify({ versions: all.map(toldOf) })}\n`);
  else {
    const rows = all.map(({ version, at, by, bytes, why }) => [
      ...[String(version), at.replace(/\.\d+Z$/, 'Z'), by, String(bytes), why ?? '-'],
    ]);
    out(`${table(['VERSION', 'STORED', 'BY', 'BYTES', 'WHY'], rows)}\n`);
  }
  return EXIT.done;
}

function toldOf({ version, at, by, bytes, why }: Version): object {
  return { version, at, by, bytes, ...(why !== null && { why }) };
}
