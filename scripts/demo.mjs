// npm run demo: a tour of the whole, on a Proxmox cluster that lives in memory. It leaves nothing behind.
import './setup/node-version.mjs';
import { runSimulated } from './demo/run-simulated.mjs';
import { at } from './setup/root.mjs';
import { setUp } from './setup/set-up.mjs';

const tour = [process.execPath, at('scripts', 'demo', 'tour.mjs')];
process.exitCode = (await setUp()) ? await runSimulated(tour, { endsWithUs: true }) : 1;
