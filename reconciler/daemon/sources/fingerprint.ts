import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** What tells whether files were written since: names, sizes and times, no content. A place that is away tells that. */
export function fingerprint(places: readonly string[]): string {
  return places
    .filter(place => place !== '-')
    .flatMap(linesOf)
    .join('\n');
}

function linesOf(place: string): string[] {
  try {
    // through links: a mounted ConfigMap is one, and is replaced behind it
    const found = statSync(place, { bigint: true });
    const { size, mtimeNs, ctimeNs, ino } = found;
    if (!found.isDirectory()) return [`${place} ${size} ${mtimeNs} ${ctimeNs} ${ino}`];
    const entries = readdirSync(place).filter(entry => !entry.startsWith('.'));
    return entries.sort().flatMap(entry => linesOf(path.join(place, entry)));
  } catch (error) {
    return [`${place} ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'}`];
  }
}
