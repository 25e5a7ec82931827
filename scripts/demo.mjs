// @ts-check
// npm run demo: a tour of the whole, on a Proxmox cluster that lives in memory. It leaves nothing behind.
import './setup/node-version.mjs';
import { setUp } from './setup/set-up.mjs';

if (await setUp(['dependencies', 'build', 'engine', 'cdktf-cli'])) {
  // Only now: what it imports was not there before the set-up.
  const { tour } = await import('./demo/tour.mjs');
  process.exitCode = await tour();
} else {
  process.exitCode = 1;
}
