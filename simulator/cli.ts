#!/usr/bin/env node
import { version } from './package.json';
import { parseOptions } from './cli/options';
import { run } from './cli/run';
import { usage } from './cli/usage';
import { UsageError } from './cli/usage-error';
import { VERBS } from './cli/verbs';

export * from './index';

async function main(): Promise<void> {
  const [word = '', ...rest] = process.argv.slice(2);
  const verb = VERBS.get(word);
  if (verb) {
    process.exitCode = await verb.run(rest, process.env);
    return;
  }
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options.help || options.version) {
    process.stdout.write(options.help ? usage([...VERBS.values()]) : `${version}\n`);
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

// the same file is the library
if (require.main === module) main().catch(abort);
