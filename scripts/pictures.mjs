// npm run pictures: draws docs/pictures/flow.svg and stack.svg. With --check it draws nothing and fails when one is stale.
// The pictures of a review and of the daemon's page are made by tests, from real ones: PICTURES=docs/pictures npx jest …
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { flow } from './pictures/flow.mjs';
import { stack } from './pictures/stack.mjs';
import { at } from './setup/root.mjs';

for (const [name, draw] of Object.entries({ flow, stack })) {
  const file = at('docs', 'pictures', `${name}.svg`);
  const isStale = !existsSync(file) || readFileSync(file, 'utf8') !== draw();
  if (isStale && process.argv.includes('--check')) {
    console.error(`docs/pictures/${name}.svg is stale: run npm run pictures`);
    process.exitCode = 1;
  } else if (isStale) writeFileSync(file, draw());
}
