import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const RECORD = '.pve-reconciler.json';
const Hashes = z.record(z.string(), z.string());

/** What stands in files, by their names. */
export type Files = ReadonlyMap<string, string | Buffer>;

/** The files of a folder that are neither what would be written there nor what was written there before, by its record. */
export function foreignFiles(folder: string, files: Files, record = RECORD): string[] {
  const before = recorded(folder, record);
  return [...files.keys(), record].filter(name => {
    const kind = kindAt(path.join(folder, name));
    if (kind !== 'file') return kind !== 'nothing';
    const hash = hashOf(readFileSync(path.join(folder, name)));
    const content = files.get(name);
    return content !== undefined && hash !== hashOf(content) && hash !== before[name];
  });
}

/** The folders in a folder that stand where files would be written. */
export function foldersAmong(folder: string, files: Files): string[] {
  return [...files.keys(), RECORD].filter(name => kindAt(path.join(folder, name)) === 'folder');
}

/** The files that an earlier run wrote there, that nobody changed, and that are none of these. */
export function leftFiles(folder: string, files: Files): string[] {
  return Object.entries(recorded(folder)).flatMap(([name, hash]) => {
    const place = path.join(folder, name);
    const isOurs = path.basename(name) === name && !files.has(name) && kindAt(place) === 'file';
    return isOurs && hashOf(readFileSync(place)) === hash ? [name] : [];
  });
}

/** Makes a folder and those that it is in. Not `recursive`: below /proc that never ends (Node 20). */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(path.resolve(folder)));
  mkdirSync(folder);
}

/**
 * Writes files into a folder, and beside them what they were, so that a later run knows its own. Each takes its place
 * by its name, so that a link there is replaced and never followed. Throws before any took its place where it can.
 */
export function writeFiles(folder: string, files: Files): void {
  const before = recorded(folder);
  const hashes = Object.fromEntries([
    // what is no part any more is still ours: a later run may write it again
    ...leftFiles(folder, files).map(name => [name, before[name]]),
    ...[...files].map(([name, content]) => [name, hashOf(content)]),
  ]);
  // last: after a crash in between the same command mends what it left
  const all = [...files, [RECORD, `${JSON.stringify(hashes, null, 2)}\n`] as const];
  putInPlace(all.map(([name, content]) => ({ place: path.join(folder, name), content })));
}

/**
 * Writes one file, which takes its place by its name: a full disk leaves what was there. Who may read it stays. A device or
 * a link is written to.
 */
export function writeWhole(place: string, content: string): void {
  const there = lstatSync(place, { throwIfNoEntry: false });
  if (there?.isFile() === false) return writeFileSync(place, content);
  putInPlace([{ place, content, ...(there && { mode: there.mode & 0o777 }) }]);
}

/** Writes all files beside their places first, then gives them their names: until then what was there is whole. */
function putInPlace(files: readonly { place: string; content: string | Buffer; mode?: number }[]): void {
  const suffix = `.${randomBytes(6).toString('hex')}`;
  try {
    for (const { place, content, mode } of files)
      writeFileSync(place + suffix, content, { flag: 'wx', mode });
    files.forEach(({ place }) => renameSync(place + suffix, place));
  } finally {
    files.forEach(({ place }) => rmSync(place + suffix, { force: true }));
  }
}

/** What stands at a place; a link is none of a file and a folder. */
export function kindAt(place: string): 'nothing' | 'file' | 'folder' | 'other' {
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found === undefined) return 'nothing';
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'folder' : 'other';
}

/** What was written, by name. A record that cannot be read is none: then every file that differs is somebody's own. */
export function recorded(folder: string, record = RECORD): Record<string, string> {
  const place = path.join(folder, record);
  if (kindAt(place) !== 'file') return {};
  try {
    return Hashes.parse(JSON.parse(readFileSync(place, 'utf8')));
  } catch {
    return {};
  }
}

export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
