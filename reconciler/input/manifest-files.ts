import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { answered } from '../config/answered';
import { MOST_SECRET_BYTES, readNamed } from '../config/named-file';
import { InputError, whyUnreadable } from '../errors';
import { mayBeCut } from './cut-text';
import { fileText, isFolder, namesIn } from './file-text';
import { otherFile } from './other-files';
import { insteadOf } from './other-folders';
import { placeText, placeTitle, saysKind } from './place-text';
import { joined, readYaml, type YamlText } from './read-yaml';
import type { Surroundings } from './surroundings';

const NAME_FOLDER = 'Name the folder or the file that does.';

/** The documents of a file, or of every file of a folder and of those in it; `-` for stdin, an address for PostgreSQL. */
export async function documentsAt(
  place: string,
  around: Pick<Surroundings, 'readInput' | 'texts'>,
): Promise<YamlText> {
  if (place === '-') return yamlOf(await placeText(place, around), 'stdin');
  if (!saysKind(place, around)) return readYaml(await placeText(place, around), placeTitle(place));
  const isOne = !(await isFolder(place));
  const files = isOne ? [place] : await filesIn(place);
  if (files.length === 0)
    throw new InputError(
      `${place} holds no manifests: no file in it ends with .yaml, .yml or .json. ${await insteadOf(place, 'any verb', NAME_FOLDER)}`,
    );
  const other = isOne ? otherFile(place) : undefined;
  if (other !== undefined) throw new InputError(other);
  const texts: YamlText[] = [];
  for (const file of files) texts.push(await yamlOf(await fileText(file), file));
  return joined(texts);
}

async function yamlOf(text: string, name: string): Promise<YamlText> {
  return { ...(await readYaml(text, name)), ...(mayBeCut(text) && { cutFile: name }) };
}

/** The files of a folder that manifests are read from, and of the folders in it, also behind links: each folder once. */
async function filesIn(folder: string): Promise<string[]> {
  return (await placesIn(folder)).files;
}

/** The folder, and all that are in it, but for hidden ones. */
export async function foldersIn(folder: string): Promise<string[]> {
  return (await placesIn(folder)).folders;
}

/** A file system that was made anew has it, empty, and nothing else. */
export const LOST_AND_FOUND = 'lost+found';

interface Places {
  files: string[];
  folders: string[];
}

/** `seen`: the folders so far, as links may lead to one twice, or in a circle. */
async function placesIn(folder: string, seen = new Set<string>()): Promise<Places> {
  // by its true place: some file systems have numbers of files that a number here cannot hold, or none
  const place = await answered(folder, () => realpath(folder).catch(() => folder));
  if (seen.has(place)) return { files: [], folders: [] };
  seen.add(place);
  const [files, folders]: [string[], string[]] = [[], [folder]];
  for (const entry of await namesIn(folder)) {
    const file = path.join(folder, entry);
    // a mounted ConfigMap keeps its files twice: in a hidden folder, and as links to those
    if (entry.startsWith('.') || entry === LOST_AND_FOUND) continue;
    if ((await statsOf(file)).isDirectory()) {
      const within = await placesIn(file, seen);
      files.push(...within.files);
      folders.push(...within.folders);
    } else if (/\.(ya?ml|json)$/i.test(entry)) files.push(file);
  }
  return { files, folders };
}

/** What a name leads to. Throws where that is nothing: it may have been a folder, whose machines would pass for gone. */
async function statsOf(file: string): Promise<Stats> {
  const there = await answered(file, () => stat(file).catch(whyUnreadable));
  if (typeof there !== 'string') return there;
  throw new InputError(
    `${file} ${there}. It may lead to a folder of manifests: mend the link or its mount, or remove it where no machine is meant.`,
  );
}

/** The keys and values of a Secret that is mounted below a folder, in a folder of its name or of its namespace and name. */
export async function mountedSecret(
  folder: string,
  namespace: string,
  name: string,
): Promise<Map<string, string> | undefined> {
  for (const place of [path.join(folder, namespace, name), path.join(folder, name)])
    if (isWithin(folder, place) && (await isFolder(place))) return secretIn(place);
  return undefined;
}

async function secretIn(place: string): Promise<Map<string, string>> {
  const read = new Map<string, string>();
  try {
    for (const key of await namesIn(place)) {
      const file = path.join(place, key);
      if (key.startsWith('.') || !(await answered(file, () => stat(file))).isFile()) continue;
      const bytes = await readNamed(file, MOST_SECRET_BYTES);
      read.set(key, bytes.toString('utf8').replace(/\r?\n$/, ''));
    }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new InputError(`the Secret in ${place} cannot be read (${String(error.code)}).`);
  }
  return read;
}

function isWithin(folder: string, place: string): boolean {
  return path.resolve(place).startsWith(path.resolve(folder) + path.sep);
}
