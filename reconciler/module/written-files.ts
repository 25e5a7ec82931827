import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const RECORD = '.pve-reconciler.json';
const Hashes = z.record(z.string(), z.string());

/** The files of a folder that are neither what would be written there nor what was written there before. */
export function foreignFiles(folder: string, files: ReadonlyMap<string, Buffer>): string[] {
  const before = recorded(folder);
  return [...files].flatMap(([name, content]) => {
    const place = path.join(folder, name);
    if (!existsSync(place)) return [];
    const hash = hashOf(readFileSync(place));
    return hash === hashOf(content) || hash === before[name] ? [] : [name];
  });
}

/** Writes files into a folder, and beside them what they were, so that a later run knows its own. */
export function writeFiles(folder: string, files: ReadonlyMap<string, Buffer>): void {
  mkdirSync(folder, { recursive: true });
  const hashes = Object.fromEntries([...files].map(([name, content]) => [name, hashOf(content)]));
  for (const [name, content] of files) writeFileSync(path.join(folder, name), content);
  // last: after a crash in between the same command mends what it left
  writeFileSync(path.join(folder, RECORD), `${JSON.stringify(hashes, null, 2)}\n`);
}

// A record that cannot be read is none: then every file that differs is somebody's own.
function recorded(folder: string): Record<string, string> {
  try {
    return Hashes.parse(JSON.parse(readFileSync(path.join(folder, RECORD), 'utf8')));
  } catch {
    return {};
  }
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
