/** Where a value stands: keys and indices from the root. */
export type Path = readonly PropertyKey[];

/** True for an object with keys: neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path; undefined where there is none. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (Array.isArray(value)) value = typeof key === 'number' ? value[key] : undefined;
    else value = isRecord(value) && Object.hasOwn(value, String(key)) ? value[String(key)] : undefined;
  }
  return value;
}

/** The path as people read it: `machines[web].disks[root].size`, with ids and names where a list has them. */
export function formatPath(path: Path, root: unknown): string {
  let shown = '';
  let value = root;
  for (const [i, key] of path.entries()) {
    if (typeof key === 'number') shown += `[${nameIn(value, key) ?? key}]`;
    else if (/^[\w$-]+$/.test(String(key))) shown += shown === '' ? String(key) : `.${String(key)}`;
    else shown += `[${JSON.stringify(String(key))}]`;
    value = valueAt(root, path.slice(0, i + 1));
  }
  return shown;
}

/** The id or name of an entry, when no other entry of the list has it too. */
function nameIn(list: unknown, index: number): string | undefined {
  if (!Array.isArray(list)) return undefined;
  const name = nameOf(list[index]);
  return name !== undefined && countsOf(list).get(name) === 1 ? name : undefined;
}

// A document with a thousand problems asks for the same lists again and again.
const counted = new WeakMap<object, Map<string | undefined, number>>();

function countsOf(list: readonly unknown[]): Map<string | undefined, number> {
  const known = counted.get(list);
  if (known !== undefined) return known;
  const counts = new Map<string | undefined, number>();
  for (const name of list.map(nameOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  counted.set(list, counts);
  return counts;
}

function nameOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return undefined;
  const name = entry.id ?? entry.name ?? entry.nodeName;
  return typeof name === 'string' && /^[\w.-]+$/.test(name) ? name : undefined;
}

/** True when one path is the other, or lies within it. */
export function touches(a: Path, b: Path): boolean {
  const shorter = Math.min(a.length, b.length);
  return a.slice(0, shorter).every((key, i) => key === b[i]);
}

/** True when `inner` is `outer`, or lies within it. */
export function isWithin(inner: Path, outer: Path): boolean {
  return inner.length >= outer.length && touches(inner, outer);
}
