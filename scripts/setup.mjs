// npm run setup [part…]: brings a fresh clone to where every command works. Run it again at any time.
import './setup/node-version.mjs';
import { chosen } from './setup/chosen.mjs';
import { partNames, setUp } from './setup/set-up.mjs';

/** Large, and needed by few: only who names them gets them. */
const onDemand = ['cdktf-cli', 'site', 'bpg', 'kubernetes', 'helm'];
const parts = chosen('part', partNames).filter(
  name => !onDemand.includes(name) || process.argv.includes(name),
);
process.exitCode = (await setUp(parts)) ? 0 : 1;
