#!/usr/bin/env node
import './input/interpret-schemas';
import { runVerb } from './commands/run-verb';
import { VERBS } from './commands/verbs';

// Whoever reads may leave first; what is under way in Proxmox must not suffer from it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

void main(process.argv.slice(2));

/** Terraform calls a verb alone, once a machine: there is nothing to parse then, and the parser is not loaded. */
async function main([word, ...more]: string[]): Promise<void> {
  const verb = VERBS.find(({ name }) => name === word && more.length === 0);
  if (verb) return runVerb({ verb, options: {}, words: [] });
  const { commandLine } = await import('./commands/program.js');
  return commandLine(runVerb);
}
