import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Why npm would refuse the provenance of this package; undefined where it would not. The package names the repository
 * whose workflow publishes it. @param {string} folder @param {string} [built] "owner/name" of the repository that builds it
 */
export function provenanceFault(folder, built) {
  const { repository } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const url = typeof repository === 'string' ? repository : repository?.url;
  if (!url)
    return 'package.json names no "repository", and npm takes provenance only with one: add { "type": "git", "url": "git+https://…" } of the repository that publishes.';
  const named = url.replace(/\.git$/, '').toLowerCase();
  if (built === undefined || named.endsWith(`/${built.toLowerCase()}`)) return undefined;
  return `package.json names the repository ${url}, and ${built} builds it: npm refuses such provenance. Name the one that publishes.`;
}
