#!/usr/bin/env node
import { version } from '../package.json';
import { USAGE, UsageError, parseOptions } from './cli/options';
import { run } from './cli/run';
import { record } from './record/record';

async function main(): Promise<void> {
  const [verb, ...words] = process.argv.slice(2);
  if (verb === 'record') {
    const end = await record(words);
    if (end) endWith(end);
    return;
  }
  const options = parseOptions(process.argv.slice(2));
  if (options.help || options.version) {
    process.stdout.write(options.help ? USAGE : `${version}\n`);
    return;
  }
  endWith(await run(options));
}

/** Ends cleanly when it is asked to. */
function endWith(end: () => Promise<void>): void {
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
