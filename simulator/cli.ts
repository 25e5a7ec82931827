#!/usr/bin/env node
import { version } from '../package.json';

const help = `pve-simulator ${version}: a Proxmox cluster that lives in memory. It does not answer requests yet.
Options: --help, --version`;
const [word, ...more] = process.argv.slice(2);
if (word === '--version' && more.length === 0) console.log(version);
else if (word === undefined || (word === '--help' && more.length === 0)) console.log(help);
else {
  console.error(
    `unknown argument '${word === '--version' || word === '--help' ? more[0] : word}'. Known: --help, --version`,
  );
  process.exitCode = 2;
}
