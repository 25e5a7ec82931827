// @ts-check
// npm run demo: synthesizes one stack, prints it, and has the engine plan it. Touches no Proxmox.
import './setup/node-version.mjs';
import { setUp } from './setup/set-up.mjs';

if (await setUp(['dependencies', 'build', 'engine'])) {
  // Only now: what it imports was not there before the set-up.
  const { tour } = await import('./demo/tour.mjs');
  process.exitCode = tour();
} else {
  process.exitCode = 1;
}
