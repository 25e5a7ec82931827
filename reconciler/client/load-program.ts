import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import Module, { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { isOfUserAlone, isPrivate } from './private-folder';
import type { Program } from './shared-run';

const HASH_BYTES = 32;
const DAYS_KEPT = 30;
const WORTH_A_WRITE = 1.05;

/**
 * The program of a file. To compile it takes much of a start, so what Node made of it is kept for the next start, in a
 * folder that only this user may enter. Nothing depends on that: what cannot be read, or is damaged, is made again.
 * Functions that nobody had called are not in it; a worker, for whose end nobody waits, adds those that it has called.
 */
export function loadProgram(file: string, { isWorker }: { isWorker: boolean }): Program {
  const bytes = readFileSync(file);
  const place = placeFor(bytes);
  const cachedData = place && keptIn(place);
  const script = new Script(Module.wrap(bytes.toString('utf8')), {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  const known = script.cachedDataRejected ? 0 : (cachedData?.length ?? 0);
  if (place && (isWorker || known === 0)) process.once('exit', () => keep(script, place, known));
  const loaded = new Module(file);
  const run: Body = script.runInThisContext();
  run(loaded.exports, createRequire(file), loaded, file, path.dirname(file));
  return loaded.exports;
}

/** What Node makes of a module's text. */
type Body = (exports: unknown, require: NodeJS.Require, module: object, file: string, folder: string) => void;

/** Another program, version of Node or processor has another file. Undefined: there is no folder for it, or nobody wants it. */
function placeFor(program: Buffer): string | undefined {
  const user = process.geteuid?.();
  if (user === undefined || process.env['NODE_DISABLE_COMPILE_CACHE']) return undefined;
  try {
    const wanted = process.env['XDG_CACHE_HOME'] ?? '';
    const caches = path.isAbsolute(wanted) ? wanted : path.join(homedir(), '.cache');
    // with sudo the home may be of somebody else
    const isOurs = (folder: string): boolean => path.isAbsolute(folder) && statSync(folder).uid === user;
    if (!existsSync(caches) && isOurs(path.dirname(caches))) mkdirSync(caches, { mode: 0o700 });
    const folder = path.join(caches, 'pve-reconciler');
    const name = createHash('sha256').update(program).update(`${process.version} ${cachedDataVersionTag()}`);
    return isOurs(caches) && isPrivate(folder, user)
      ? path.join(folder, name.digest('hex').slice(0, 32))
      : undefined;
  } catch {
    return undefined;
  }
}

/** What nobody else can have written, and is whole: Node itself takes damaged data for good. */
function keptIn(place: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(file);
    if (!found.isFile() || !isOfUserAlone(found, process.geteuid?.())) return undefined;
    const kept = readFileSync(file);
    const data = kept.subarray(HASH_BYTES);
    return hashOf(data).equals(kept.subarray(0, HASH_BYTES)) ? data : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Unless it is hardly more than what is known. Never throws: the work is done. */
function keep(script: Script, place: string, known: number): void {
  try {
    const data = script.createCachedData();
    if (data.length < known * WORTH_A_WRITE) return;
    const temporary = `${place}.${process.pid}`;
    rmSync(temporary, { force: true });
    // never through a link that somebody puts there
    writeFileSync(temporary, Buffer.concat([hashOf(data), data]), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, place);
  } catch {
    // a disk that is full, or a folder that is gone: the next start compiles
  }
  try {
    removeOld(path.dirname(place));
  } catch {
    // the next one that is kept removes them
  }
}

/** What other versions have kept, and what was cut short. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^[0-9a-f]{32}(?:\.\d+)?$/.test(name)) continue;
    const place = path.join(folder, name);
    if (Date.now() - statSync(place).mtimeMs > DAYS_KEPT * 86_400_000) rmSync(place);
  }
}

const hashOf = (data: Buffer): Buffer => createHash('sha256').update(data).digest();
