#!/usr/bin/env node
import { version } from '../package.json';
import { USAGE, UsageError, parseOptions } from './cli/options';
import { run } from './cli/run';
import { record } from './record/record';

async function main(): Promise<void> {
  const [verb, ...words] = process.argv.slice(2);
  if (verb === 'record') return record(words);
  const options = parseOptions(process.argv.slice(2));
  if (options.help || options.version) {
    process.stdout.write(options.help ? USAGE : `${version}\n`);
    return;
  }
  const end = await run(options);
  const stop = (): void => {
    end().then(() => process.exit(0), abort);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function abort(error: unknown): void {
  process.stderr.write(`pve-simulator: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
}

main().catch(abort);
