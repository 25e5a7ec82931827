// npm run setup [part…]: brings a fresh clone to where every command works. Run it again at any time.
import './setup/node-version.mjs';
import { chosen } from './setup/chosen.mjs';
import { partNames, setUp } from './setup/set-up.mjs';

const parts = chosen('part', partNames);
const isAll = process.argv.length === 2;
process.exitCode = (await setUp(isAll ? parts.filter(part => part !== 'cdktf-cli') : parts)) ? 0 : 1;
