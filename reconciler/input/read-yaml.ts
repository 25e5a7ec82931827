import type * as Yaml from 'yaml';
import { InputError } from '../errors';
import type { Document } from '../manifests/document';
import { refuseDeep } from './read-json';
import { placeOf, faultsOf } from './yaml-faults';

/**
 * Parses YAML 1.2 (and so JSON too): every document of a text that is not empty. The error names each place where it
 * breaks, and shows nothing of the text.
 */
export async function readYaml(text: string, name: string): Promise<Document[]> {
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const parsed = yaml.parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    merge: true,
    logLevel: 'silent',
  });
  const placed = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const documents = [...parsed];
  const faults = documents.flatMap(document => faultsOf(yaml, document));
  if (faults.length > 0)
    throw new InputError(faults.map(({ offset, says }) => `${placed(offset)}: ${says}`).join('\n'));
  return documents.flatMap(document => {
    const start = document.contents?.range?.[0] ?? 0;
    const json = valueOf(document, placed(start));
    if (json === null || json === undefined) return [];
    refuseDeep(json, name);
    return [{ name, json, placeOf: path => placed(placeOf(yaml, document, path) ?? start) }];
  });
}

function valueOf(document: Yaml.Document.Parsed, place: string): unknown {
  try {
    // more aliases than this, each counted with those within it, are no document but an attack
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const says =
      error instanceof ReferenceError
        ? 'its aliases ("*name") make it too large. Write out what they stand for.'
        : '"<<" merges something that is no mapping. Give it an alias of one, such as "<<: *name".';
    throw new InputError(`${place}: ${says}`);
  }
}
