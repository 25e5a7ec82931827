import type * as Yaml from 'yaml';
import { valueAt, yamlSays, type Path } from '../../spec';

interface Fault {
  offset: number;
  says: string;
  /** The rest of the document cannot be understood. */
  breaks: boolean;
}

/** What is wrong with a document before anything in it is understood, and what two readers would read differently. */
export function faultsOf(yaml: typeof Yaml, document: Yaml.Document.Parsed): Fault[] {
  const broken = [...document.errors, ...document.warnings].map(({ code, pos: [offset] }) => {
    const { reason, remedy } = yamlSays(code);
    return { offset, says: `${reason}. ${remedy}`, breaks: code !== 'DUPLICATE_KEY' };
  });
  return broken.some(({ breaks }) => breaks) ? broken : [...broken, ...doubtful(yaml, document)];
}

function doubtful(yaml: typeof Yaml, document: Yaml.Document.Parsed): Fault[] {
  const faults: Fault[] = [];
  const add = (node: Yaml.Node, says: string | undefined, breaks = false): void => {
    if (says !== undefined) faults.push({ offset: node.range?.[0] ?? 0, says, breaks });
  };
  yaml.visit(document, {
    Scalar: (_, node) => add(node, numberFault(node)),
    Alias: (_, node, ancestors) => add(node, aliasFault(node.resolve(document), ancestors), true),
  });
  return faults;
}

function aliasFault(source: unknown, ancestors: readonly unknown[]): string | undefined {
  if (source === undefined)
    return 'this alias ("*name") has no anchor ("&name") before it. Add it, or quote the text.';
  return ancestors.includes(source) ? 'this alias stands within what it stands for. Remove it.' : undefined;
}

/** YAML 1.1, which many programs still read, takes 017 for 15; and a number of JavaScript ends at 2^53. */
function numberFault({ type, value, source = '' }: Yaml.Scalar): string | undefined {
  if (type !== 'PLAIN' || typeof value !== 'number' || !/^[-+]?\d+$/.test(source)) return undefined;
  if (/^[-+]?0\d/.test(source))
    return 'a number with a leading 0 is octal to some readers and decimal to others. Quote it, or remove the 0.';
  return Number.isSafeInteger(value)
    ? undefined
    : 'this number is too large to be read exactly. Write a smaller one; where text is meant, quote it.';
}

/** Where the value at a path begins in the text, by its key; as far along the path as there is something. */
export function placeOf(
  { isAlias, isMap, isScalar, isSeq }: typeof Yaml,
  document: Yaml.Document.Parsed,
  path: Path,
): number | undefined {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0];
  for (const key of path) {
    const holder: unknown = isAlias(node) ? node.resolve(document) : node;
    if (isMap(holder)) {
      const pair = holder.items.find(item => isScalar(item.key) && String(item.key.value) === String(key));
      if (pair === undefined) return offset;
      offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
      node = pair.value;
    } else if (isSeq(holder)) {
      node = holder.items[Number(key)];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  const start = valueAt(node, ['range', 0]);
  return typeof start === 'number' ? start : undefined;
}
