import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { done, ReleaseError } from './command.mjs';

/** Throws where a file differs from the commit: a release is made of a commit. @param {string} folder */
export function refuseUnclean(folder) {
  const changed = done(folder, 'git', 'status', '--porcelain').trimEnd();
  if (changed === '') return;
  throw new ReleaseError(
    `the tree is not as its commit:\n${changed.split('\n').slice(0, 10).join('\n')}\nCommit or remove these files, then run again. Nothing was changed.`,
  );
}

/** Throws where the tree is no more what the clone was made of: the build took minutes. @param {string} folder @param {string} clone */
export function refuseMoved(folder, clone) {
  refuseUnclean(folder);
  const [now, then] = [folder, clone].map(place => done(place, 'git', 'rev-parse', 'HEAD').trim());
  if (now === then) return;
  throw new ReleaseError(
    `the tree went from commit ${then} to ${now} while the release was built. Nothing was changed. Run it again.`,
  );
}

/** The commit of a tree in a folder of its own, with the packages that are installed there. @param {string} folder */
export function cloneOf(folder) {
  const packages = path.join(folder, 'node_modules');
  if (!existsSync(packages))
    throw new ReleaseError('the packages are not installed: run npm run setup, then again.');
  const clone = path.join(mkdtempSync(path.join(tmpdir(), 'release-')), 'clone');
  done(folder, 'git', 'clone', '--quiet', '--local', '--no-hardlinks', '.', clone);
  mkdirSync(path.join(clone, 'node_modules'));
  for (const name of readdirSync(packages))
    symlinkSync(path.join(packages, name), path.join(clone, 'node_modules', name));
  return clone;
}
