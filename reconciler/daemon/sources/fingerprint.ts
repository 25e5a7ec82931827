import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { answered } from '../../config/answered';

/** What tells whether files were written since: names, sizes and times, no content. A place that is away tells that. */
export async function fingerprint(places: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const place of places) if (place !== '-') lines.push(...(await linesOf(place)));
  return lines.join('\n');
}

async function linesOf(place: string): Promise<string[]> {
  try {
    // through links: a mounted ConfigMap is one, and is replaced behind it
    const found = await answered(place, () => stat(place, { bigint: true }));
    const { size, mtimeNs, ctimeNs, ino } = found;
    if (!found.isDirectory()) return [`${place} ${size} ${mtimeNs} ${ctimeNs} ${ino}`];
    const entries = await answered(place, () => readdir(place));
    const lines: string[] = [];
    for (const entry of entries.filter(name => !name.startsWith('.')).sort())
      lines.push(...(await linesOf(path.join(place, entry))));
    return lines;
  } catch (error) {
    return [`${place} ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'}`];
  }
}
