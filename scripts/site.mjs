// npm run site: builds the docs site into .setup/site/dist. `npm run site -- --show` then shows it on 127.0.0.1.
import './setup/node-version.mjs';
import { buildSite, showSite } from './site/build-site.mjs';
import { setUp } from './setup/set-up.mjs';

const ok = (await setUp(['site'])) && (await buildSite());
if (ok && process.argv.includes('--show')) await showSite();
process.exitCode = ok ? 0 : 1;
