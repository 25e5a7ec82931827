import { existsSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { UsageError } from '../cli/usage-error';
import { codeOf } from './server/trust';

/** Fails when the file may not be written: it is there and nobody said `--force`, or its folder takes none. */
export function checkOut(path: string, force: boolean): void {
  if (existsSync(path) && !force) {
    throw new UsageError(`${path} is there already; name another file, or say --force to replace it`);
  }
  const own = ownName(path);
  try {
    writeFileSync(own, '', { flag: 'wx', mode: 0o600 });
    rmSync(own);
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${codeOf(error)}`);
  }
}

/** Writes all of a file or nothing, readable by its owner only. Without `force` a file that came meanwhile stays. */
export function writeOut(path: string, content: string, force: boolean): void {
  const own = ownName(path);
  try {
    writeFileSync(own, content, { flag: 'wx', mode: 0o600 });
    if (force) renameSync(own, path);
    else linkSync(own, path);
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${codeOf(error)}; running again is safe`);
  } finally {
    rmSync(own, { force: true });
  }
}

const ownName = (path: string): string => `${path}.${process.pid}.new`;
