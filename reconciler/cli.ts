#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { version } from '../package.json';

const program = new Command('pve-reconciler')
  .usage('[options]')
  .description(
    'Makes Proxmox match a spec.\nThis version has no verbs yet: it prints its help and its version.',
  )
  .version(version, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .exitOverride()
  .argument('[verb]')
  .allowExcessArguments()
  .action((verb?: string) => {
    if (verb === undefined) return program.outputHelp();
    return program.error(`error: unknown verb '${verb}': this version has none yet`);
  });

try {
  program.parse();
} catch (error) {
  // Wrong arguments exit 2: nothing was sent. Help and version come here too, with 0.
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
