// npm run check [name…]: what stays green at every commit.
import './setup/node-version.mjs';
import { checkNames, runChecks } from './checks.mjs';
import { chosen } from './setup/chosen.mjs';
import { setUp } from './setup/set-up.mjs';

const names = chosen('check', checkNames);
process.exitCode = (await setUp(['dependencies'])) && (await runChecks(names)).length === 0 ? 0 : 1;
