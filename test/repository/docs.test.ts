import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dependencies, devDependencies, license } from '../../package.json';
import { root } from './copied-tree';

const pages = [
  ...readdirSync(root).filter(name => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => join('docs', name)),
];
const read = (page: string) => readFileSync(join(root, page), 'utf8');

test.each(pages)('%s links to nothing that is not there', page => {
  const links = [...read(page).matchAll(/\]\(([^)#:]+)\)/g)].map(([, target = '']) => target);
  expect(links.filter(target => !existsSync(join(root, dirname(page), target)))).toEqual([]);
});

test('each decision is in the list of decisions', () => {
  const decisions = readdirSync(join(root, 'docs', 'adr')).filter(name => /^\d{4}-/.test(name));
  expect(decisions.length).toBeGreaterThan(5);
  expect(decisions.filter(name => !read('docs/adr/README.md').includes(`(${name})`))).toEqual([]);
});

test('each package we use has its line, with its version', () => {
  const used = Object.entries({ ...dependencies, ...devDependencies });
  const text = read('docs/dependencies.md');
  expect(used.map(([name, version]) => `${name} ${version}`).filter(line => !text.includes(line))).toEqual(
    [],
  );
});

test('the licence is the one that package.json names', () => {
  expect(license).toBe('Apache-2.0');
  expect(read('LICENSE')).toMatch(/Apache License\s+Version 2\.0, January 2004/);
});

test('the files that the README of the reconciler names are there', () => {
  const named = [...read('reconciler/README.md').matchAll(/`([^`]+\.ts)`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(file => !existsSync(join(root, 'reconciler', file)))).toEqual([]);
});

// What people who learned English as a second language read wrong, or twice. The decisions keep the words of their day.
const UNCLEAR = [
  ['has not to', 'must not, or need not'],
  ['have not to', 'must not, or need not'],
  ['leave it away', 'remove it'],
  ['leave away', 'remove'],
  ['who may not', 'without the right to'],
  ['is told', 'is reported, or: the program says'],
  ['are told', 'are reported'],
  ['nobody names', 'that are no longer in'],
  ['one that was', 'name the thing again'],
  ['in vain', 'without success'],
  ['is gone back to', 'go back to'],
  ['nothing is mended', 'cannot be repaired'],
] as const;
const plain = pages.filter(page => !page.startsWith(join('docs', 'adr')) && !/CHANGELOG|api\.md$/.test(page));

test.each(plain)('%s says nothing in words that are read wrong', page => {
  const text = read(page)
    .replace(/^```[^]*?^```$/gm, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
  expect(UNCLEAR.filter(([words]) => text.includes(words))).toEqual([]);
});
