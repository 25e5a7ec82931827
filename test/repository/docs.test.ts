import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { dependencies, devDependencies, license } from '../../package.json';
import { slug } from '../../scripts/site/anchors.mjs';
import { linksIn, placeOf } from '../../scripts/site/links.mjs';
import { llmsText } from '../../scripts/site/llms.mjs';
import { pages as onSite, table } from '../../scripts/site/pages.mjs';
import { pages, read } from './code-blocks';
import { root } from './copied-tree';

const anchorsOf = (page: string): Set<string> => {
  const text = read(page).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
  const seen = new Map<string, number>();
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const name = slug(heading.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1'));
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  });
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id)]);
};

test.each(pages)('%s links to nothing that is not there, nor to an anchor that is not', page => {
  const broken = linksIn(read(page)).filter(target => {
    const { file, anchor } = placeOf(page, target);
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && !anchorsOf(file).has(anchor);
  });
  expect(broken).toEqual([]);
});

test('each page of docs is on the site once, or left out with a reason', () => {
  const { groups, leftOut } = table();
  const named = [...onSite().map(({ file }) => file), ...Object.keys(leftOut)];
  expect(pages.filter(page => page.startsWith('docs/') && !named.includes(page))).toEqual([]);
  expect(named.filter((file, at) => named.indexOf(file) !== at)).toEqual([]);
  expect(named.filter(file => !existsSync(join(root, file)))).toEqual([]);
  expect(groups.filter(group => (group.pages ?? []).length === 0)).toEqual([]);
});

test('the list of pages for programs has a line that tells something for each page', () => {
  const entries = llmsText().match(/^- .*/gm) ?? [];
  expect(entries).toHaveLength(onSite().length);
  expect(entries.filter(line => !/^- \[.{3,}\]\([\w/.-]+\.md\): .{8,}$/.test(line))).toEqual([]);
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
