import type * as Yaml from 'yaml';
import type { Path } from '../../spec';

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
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  const range: unknown = node.range;
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : undefined;
}
