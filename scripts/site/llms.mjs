import { readFileSync } from 'node:fs';
import { at } from '../setup/root.mjs';
import { pages, table } from './pages.mjs';

/** A list of the pages for programs that read: the title of each, its address, and its first sentence. */
export function llmsText() {
  const { title, says, groups } = table();
  const all = pages();
  const lines = groups.flatMap(group => {
    const own = all.filter(page => page.group === group.title);
    if (own.length === 0) return [];
    const entries = own.map(page => `- [${page.title}](${page.address}.md): ${firstSentence(page.file)}`);
    return [`## ${group.title}`, '', ...entries, ''];
  });
  return [`# ${title}`, '', `> ${says}`, '', ...lines].join('\n');
}

/** @param {string} file */
function firstSentence(file) {
  const paragraphs = readFileSync(at(file), 'utf8').split(/\n\s*\n/);
  const prose = paragraphs.find(text => /^[A-Z`*]/.test(text) && !/^Accepted/.test(text)) ?? '';
  const plain = prose
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .trim();
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}
