import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { at } from '../setup/root.mjs';

/** @typedef {{ file: string, address: string, title: string, group: string }} Page */
/** @typedef {{ title: string, pages?: string[], folder?: string }} Group */

/** The table that says what is on the site, and where in its side bar. @returns {{ title: string, says: string, groups: Group[], leftOut: Record<string, string> }} */
export const table = () => JSON.parse(readFileSync(at('site', 'pages.json'), 'utf8'));

/** Every page of the site, in the order of the side bar. @returns {Page[]} */
export function pages() {
  return table().groups.flatMap(group =>
    filesOf(group).map(file => ({
      file,
      address: addressOf(file),
      title: titleOf(file),
      group: group.title,
    })),
  );
}

/** The pages that a group names; of a folder its README first, then each other by name. @param {Group} group */
function filesOf({ pages: files = [], folder }) {
  if (folder === undefined) return files;
  const found = readdirSync(at(folder)).filter(name => name.endsWith('.md') && name !== 'README.md');
  return [...files, ...found.sort().map(name => `${folder}/${name}`)];
}

/** Where a file is on the site, without an ending: `docs/adr/README.md` is `adr/index`. @param {string} file */
export function addressOf(file) {
  const name = file.replace(/^docs\//, '').replace(/\.md$/, '');
  return name.replace(/(^|\/)README$/, '$1index').toLowerCase();
}

/** @param {string} file */
function titleOf(file) {
  const [, title = path.basename(file)] = /^# (.+)$/m.exec(readFileSync(at(file), 'utf8')) ?? [];
  return title.replaceAll('`', '');
}
