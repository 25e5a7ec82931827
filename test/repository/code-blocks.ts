import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './copied-tree';

/** A block of code in a page, and the line where it begins. */
export interface Block {
  page: string;
  at: number;
  language: string;
  text: string;
}

const isPage = (name: string): boolean => name.endsWith('.md') && !name.includes('node_modules');

/** Every page that people read: the docs, and what stands at the top. */
export const pages: string[] = [
  ...readdirSync(root).filter(isPage),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(isPage)
    .map(name => join('docs', name)),
];

export const read = (page: string): string => readFileSync(join(root, page), 'utf8');

export const blocks: Block[] = pages.flatMap(page => {
  const text = read(page);
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map(
    ({ 1: indent = '', 2: language = '', 3: body = '', index }) => ({
      page,
      at: text.slice(0, index).split('\n').length,
      language,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
});

/** The page of the simulator is run as a whole, by test/e2e/docs. */
export const isOfSimulator = ({ page, language }: Block): boolean =>
  page === 'docs/simulator.md' && language === 'sh';

/** The commands of a block, without comments; a line that goes on is one with the next. Behind `$ ` where there is output. */
export function commandsOf({ text }: Block): string[] {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n');
  const typed = lines.filter(line => line.startsWith('$ ')).map(line => line.slice(2));
  return (typed.length > 0 ? typed : lines)
    .map(line => line.replace(/(^|\s+)# .*$/, '').trim())
    .filter(line => line !== '');
}

/** The words of a command as a shell gives them, up to a pipe or a redirection. */
export function wordsOf(command: string): string[] {
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|[^\s'"]+/g)].map(
    ([word, single, double]) => single ?? double ?? word,
  );
  const end = words.findIndex(word => ['|', '>', '&&', '&'].includes(word));
  return end === -1 ? words : words.slice(0, end);
}
