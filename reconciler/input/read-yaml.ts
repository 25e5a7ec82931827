import type * as Yaml from 'yaml';
import { InputError } from '../errors';
import type { Document } from '../manifests/document';
import { refuseDeep } from './read-json';
import { refuseHuge } from './yaml-bounds';
import { placeOf, faultsOf } from './yaml-faults';
import type { Path } from '../../spec';

/** What a text of YAML holds. */
export interface YamlText {
  /** Those that can be understood, also where something in them is in doubt. */
  documents: Document[];
  /** Each place where one breaks, or where two readers would read it differently. Shows nothing of the text. */
  faults: string[];
  /** One of them cannot be understood. */
  isBroken: boolean;
  /** The name of one that may be cut short. */
  cutFile?: string | undefined;
}

/** Parses YAML 1.2 (and so JSON too): every document of a text that is not empty. What is wrong is reported and not thrown. */
export async function readYaml(text: string, name: string): Promise<YamlText> {
  const yaml = await import('yaml');
  refuseHuge(yaml, text, name);
  const lines = new yaml.LineCounter();
  const parsed = parsedAll(name, () =>
    yaml.parseAllDocuments(text, {
      lineCounter: lines,
      prettyErrors: false,
      stringKeys: true,
      merge: true,
      logLevel: 'silent',
    }),
  );
  const placed = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const read = [...parsed].map((document): YamlText => {
    const found = faultsOf(yaml, document);
    const faults = found.map(({ offset, says }) => `${placed(offset)}: ${says}`);
    if (found.some(({ breaks }) => breaks)) return { documents: [], faults, isBroken: true };
    const start = document.contents?.range?.[0] ?? 0;
    try {
      const json = valueOf(document, placed(start));
      if (json === null || json === undefined) return { documents: [], faults, isBroken: false };
      refuseDeep(json, name);
      const whole = { name, json, placeOf: (path: Path) => placed(placeOf(yaml, document, path) ?? start) };
      return { documents: [whole], faults, isBroken: false };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { documents: [], faults: [...faults, error.message], isBroken: true };
    }
  });
  return joined(read);
}

/** Dashes nest too, and its parser calls itself for each level. */
function parsedAll<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InputError(`${name} is nested too deep to be read: no document of ours is. Write it flat.`);
  }
}

/** Several texts as one. */
export function joined(texts: readonly YamlText[]): YamlText {
  return {
    documents: texts.flatMap(({ documents }) => documents),
    faults: [...new Set(texts.flatMap(({ faults }) => faults))],
    isBroken: texts.some(({ isBroken }) => isBroken),
    cutFile: texts.find(({ cutFile }) => cutFile !== undefined)?.cutFile,
  };
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
