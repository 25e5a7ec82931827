import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pages, read } from './code-blocks';
import { root, run } from './copied-tree';

const names = readdirSync(join(root, 'docs', 'pictures'));

test('the drawn pictures are as their script draws them', async () => {
  expect(await run(root, process.execPath, 'scripts/pictures.mjs', '--check')).toMatchObject({ code: 0 });
});

test.each(names)('%s says what it shows, has a dark look, runs nothing and asks nobody', name => {
  const picture = read(join('docs', 'pictures', name));
  expect(picture).toMatch(/<title>.{20,}<\/title>/);
  expect(picture).toContain('prefers-color-scheme: dark');
  expect(picture).not.toMatch(/<script|<foreignObject|(href|src)="(?!data:image\/png)/);
});

test.each(names)('%s is shown by a page', name => {
  expect(pages.filter(page => read(page).includes(`pictures/${name}`))).not.toEqual([]);
});
