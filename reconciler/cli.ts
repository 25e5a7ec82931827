#!/usr/bin/env node
import { CommanderError } from 'commander';
import { program } from './commands/program';
import { run } from './commands/run';

// Whoever reads may leave first; what is under way in Proxmox must not suffer from it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

program(run)
  .parseAsync()
  .catch((error: unknown) => {
    // Wrong arguments exit 2: nothing was sent. Help and version come here too, with 0.
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  });
