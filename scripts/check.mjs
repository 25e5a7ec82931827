// @ts-check
// npm run check [name…]: what stays green at every commit.
import './setup/node-version.mjs';
import { runChecks } from './checks/run-checks.mjs';
import { staticChecks, unitTests } from './checks/static-checks.mjs';
import { setUp } from './setup/set-up.mjs';

// The longest first: the others are done beside it.
const all = [unitTests, ...staticChecks];
const asked = process.argv.slice(2);
const unknown = asked.filter(name => !all.some(check => check.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no check ${unknown.join(', ')}; there are: ${all.map(check => check.name).join(', ')}.`,
  );
  process.exitCode = 2;
} else {
  const chosen = asked.length === 0 ? all : all.filter(check => asked.includes(check.name));
  const failed = (await setUp(['dependencies'])) ? await runChecks(chosen) : 1;
  process.exitCode = failed === 0 ? 0 : 1;
}
