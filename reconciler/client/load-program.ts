import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
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
import { isPrivate } from './private-folder';
import type { Program } from './shared-run';

const HASH_BYTES = 32;
const DAYS_KEPT = 30;

/**
 * The program of a file. To compile it takes half of a start, so what Node made of it is kept for the next start, in a
 * folder that only this user may enter. Nothing depends on that: what cannot be read, or is damaged, is made again.
 */
export function loadProgram(file: string): Program {
  const bytes = readFileSync(file);
  const place = placeFor(bytes);
  const cachedData = place && keptIn(place);
  const script = new Script(Module.wrap(bytes.toString('utf8')), {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  if (place && (!cachedData || script.cachedDataRejected)) process.once('exit', () => keep(script, place));
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
    // Node would try for ever in a place like /proc, were it asked for all of the way
    if (!existsSync(caches)) mkdirSync(caches, { mode: 0o700 });
    const folder = path.join(caches, 'pve-reconciler');
    const name = createHash('sha256').update(program).update(`${process.version} ${cachedDataVersionTag()}`);
    return isPrivate(folder, user) ? path.join(folder, name.digest('hex').slice(0, 32)) : undefined;
  } catch {
    return undefined;
  }
}

/** Node itself takes damaged data for good. */
function keptIn(place: string): Buffer | undefined {
  try {
    const kept = readFileSync(place);
    const data = kept.subarray(HASH_BYTES);
    return hashOf(data).equals(kept.subarray(0, HASH_BYTES)) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Together with the functions that this process has called. */
function keep(script: Script, place: string): void {
  const temporary = `${place}.${process.pid}`;
  try {
    const data = script.createCachedData();
    writeFileSync(temporary, Buffer.concat([hashOf(data), data]), { mode: 0o600 });
    renameSync(temporary, place);
    removeOld(path.dirname(place));
  } catch {
    rmSync(temporary, { force: true });
  }
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const place = path.join(folder, name);
    if (Date.now() - statSync(place).mtimeMs > DAYS_KEPT * 86_400_000) rmSync(place);
  }
}

const hashOf = (data: Buffer): Buffer => createHash('sha256').update(data).digest();
