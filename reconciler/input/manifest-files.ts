import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { InputError } from '../errors';
import { fileText, NAME_ANOTHER, onFile } from './file-text';
import { joined, readYaml, type YamlText } from './read-yaml';
import { isFolder } from './stack-folder';

/** The documents of a file, or of every file of a folder and of those in it; `-` for stdin. */
export async function documentsAt(place: string, readInput: () => Promise<string>): Promise<YamlText> {
  if (place === '-') return readYaml(await readInput(), 'stdin');
  const files = isFolder(place) ? filesIn(place) : [place];
  if (files.length === 0)
    throw new InputError(`${place} holds no manifests: no file in it ends with .yaml, .yml or .json.`);
  return joined(await Promise.all(files.map(file => readYaml(fileText(file), file))));
}

function filesIn(folder: string): string[] {
  const entries = onFile(
    () => readdirSync(folder).sort(),
    code => `${folder} cannot be read (${code}). ${NAME_ANOTHER}`,
  );
  return entries.flatMap(entry => {
    const file = path.join(folder, entry);
    // a mounted ConfigMap keeps its files twice: in a hidden folder, and as links to those
    if (entry.startsWith('.')) return [];
    if (lstatSync(file).isDirectory()) return filesIn(file);
    return /\.(ya?ml|json)$/i.test(entry) ? [file] : [];
  });
}

/** The keys and values of a Secret that is mounted below a folder, in a folder of its name or of its namespace and name. */
export function mountedSecret(
  folder: string,
  namespace: string,
  name: string,
): Map<string, string> | undefined {
  const places = [path.join(folder, namespace, name), path.join(folder, name)];
  const place = places.find(each => isWithin(folder, each) && isFolder(each));
  if (place === undefined) return undefined;
  return onFile(
    () => {
      const keys = readdirSync(place).filter(
        key => !key.startsWith('.') && statSync(path.join(place, key)).isFile(),
      );
      return new Map(
        keys.map(key => [key, readFileSync(path.join(place, key), 'utf8').replace(/\r?\n$/, '')]),
      );
    },
    code => `the Secret in ${place} cannot be read (${code}).`,
  );
}

function isWithin(folder: string, place: string): boolean {
  return path.resolve(place).startsWith(path.resolve(folder) + path.sep);
}
