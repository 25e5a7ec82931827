// @ts-check
// npm run simulated -- COMMAND …: runs a command, or a shell, with a Proxmox cluster in memory that ends with it.
// PVE_… points to the cluster; cdktf, terraform or tofu, pve-reconciler and pve-simulator are on PATH.
import './setup/node-version.mjs';
import { setUp } from './setup/set-up.mjs';

if (await setUp(['dependencies', 'build', 'engine', 'cdktf-cli'])) {
  const { runSimulated } = await import('./demo/run-simulated.mjs');
  process.exitCode = await runSimulated(process.argv.slice(2));
} else {
  process.exitCode = 1;
}
