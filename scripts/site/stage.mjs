import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { at } from '../setup/root.mjs';
import { placeOf, withLinks } from './links.mjs';
import { llmsText } from './llms.mjs';
import { addressOf, pages } from './pages.mjs';

/** Puts every page, with its links as the site has them, and what VitePress is told, into this folder. @param {string} folder */
export function stage(folder) {
  const inside = (/** @type {string[]} */ ...parts) => path.join(folder, ...parts);
  for (const part of ['pages', '.vitepress']) rmSync(inside(part), { recursive: true, force: true });
  const known = new Map(pages().map(({ file }) => [file, addressOf(file)]));
  for (const [file, address] of known) {
    const text = withLinks(readFileSync(at(file), 'utf8'), target =>
      addressFrom(file, target, known, inside),
    );
    put(inside('pages', `${address}.md`), text);
    // As it is, for programs: llms.txt names it.
    put(inside('pages', 'public', `${address}.md`), text);
  }
  put(inside('pages', 'public', 'llms.txt'), llmsText());
  cpSync(at('site', 'theme'), inside('.vitepress', 'theme'), { recursive: true });
  const config = path.relative(inside('.vitepress'), at('scripts', 'site', 'config.mjs'));
  put(inside('.vitepress', 'config.mjs'), `export { default } from './${config.replaceAll('\\', '/')}';\n`);
}

/** What a link is on the site. A file that is no page is put there too. @param {string} from @param {string} target @param {Map<string, string>} known @param {(...parts: string[]) => string} inside */
function addressFrom(from, target, known, inside) {
  const { file, anchor } = placeOf(from, target);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const page = known.get(file) ?? known.get(`${file}/README.md`);
  if (file === from) return hash;
  if (page !== undefined) return `${relative(known.get(from) ?? '', page)}.md${hash}`;
  if (!existsSync(at(file)) || statSync(at(file)).isDirectory())
    throw new Error(
      `${from} links to ${target}, which is no page of the site and no file: name it in site/pages.json`,
    );
  // With an ending that every browser shows.
  const name = /\.(svg|png)$/.test(file) ? file : `${file}.txt`;
  cpSync(at(file), inside('pages', 'public', 'files', name));
  return `/files/${name}`;
}

/** @param {string} from @param {string} to */
function relative(from, to) {
  const way = path.posix.relative(path.posix.dirname(from), to);
  return way.startsWith('.') ? way : `./${way}`;
}

/** @param {string} file @param {string} text */
function put(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
