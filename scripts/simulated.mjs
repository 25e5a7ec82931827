// npm run simulated -- COMMAND …: runs a command, or a shell, with a Proxmox cluster in memory that ends with it.
// PVE_… points to the cluster; cdktf, terraform or tofu, pve-reconciler and pve-simulator are on PATH.
import './setup/node-version.mjs';
import { runSimulated } from './demo/run-simulated.mjs';
import { setUp } from './setup/set-up.mjs';

process.exitCode = (await setUp()) ? await runSimulated(process.argv.slice(2)) : 1;
