import { isRow, rowsOf } from '../record/shape';

/** What stands at a place such as `$.a.b[0].c` or `$.a[?key=value].b`; undefined where nothing does. */
export function valueAt(document: unknown, path: string): unknown {
  let current = document;
  for (const [, name, index = ''] of path.matchAll(/\.([A-Za-z0-9_-]+)|\[([^\]]+)\]/g)) {
    if (name !== undefined) current = isRow(current) ? current[name] : undefined;
    else if (index.startsWith('?')) {
      const [key = '', wanted] = index.slice(1).split('=');
      current = rowsOf(current).find(row => String(row[key]) === wanted);
    } else current = Array.isArray(current) ? current[Number(index)] : undefined;
  }
  return current;
}
