// The licences of the packages inside a bundled program: the file travels alone, so it carries them itself.
import { readdirSync, readFileSync } from 'node:fs';

/** @param {string[]} inputs paths of the bundled files @returns a comment, empty when nobody else's code is inside */
export function noticesFor(inputs) {
  const packages = inputs.flatMap(path => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(packages)].sort().map(noticeIn).join('');
}

/** @param {string} folder */
function noticeIn(folder) {
  const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file: do not bundle it`);
  const text = readFileSync(`${folder}/${file}`, 'utf8').trim().replaceAll('*/', '* /');
  return `\n/* This file contains ${name} ${version}:\n\n${text}\n*/\n`;
}
