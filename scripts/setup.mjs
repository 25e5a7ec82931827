// @ts-check
// npm run setup [part…]: brings a fresh clone to where every command works. Run it again at any time.
import './setup/node-version.mjs';
import { partNames, setUp } from './setup/set-up.mjs';

const asked = process.argv.slice(2);
const unknown = asked.filter(name => !partNames.some(part => part === name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; there are: ${partNames.join(', ')}.`);
  process.exitCode = 2;
} else {
  const parts = partNames.filter(part => (asked.length > 0 ? asked.includes(part) : part !== 'cdktf-cli'));
  process.exitCode = (await setUp(parts)) ? 0 : 1;
}
