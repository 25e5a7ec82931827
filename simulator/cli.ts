#!/usr/bin/env node
import { version } from './package.json';
import { abort, endWith } from './cli/end-with';
import { parseOptions } from './cli/options';
import { run } from './cli/run';
import { usage } from './cli/usage';
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
  endWith(await run(options));
}

// the same file is the library
if (require.main === module) main().catch(abort);
