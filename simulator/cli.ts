#!/usr/bin/env node
import { version } from './package.json';
import { abort, endWith } from './cli/end-with';
import { parseOptions } from './cli/options';
import { run } from './cli/run';
import { usage } from './cli/usage';
import { UsageError } from './cli/usage-error';
import { VERBS } from './cli/verbs';
import { closest } from './world-file/closest';

export * from './index';

async function main(): Promise<void> {
  const [word = '', ...rest] = process.argv.slice(2);
  const verb = VERBS.get(word);
  if (verb) {
    process.exitCode = await verb.run(rest, process.env);
    return;
  }
  if (/^[a-z]/i.test(word)) throw new UsageError(unknownVerb(word));
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options.help || options.version) {
    process.stdout.write(options.help ? usage([...VERBS.values()]) : `${version}\n`);
    return;
  }
  endWith(await run(options));
}

function unknownVerb(word: string): string {
  const near = closest(word, [...VERBS.keys()]);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return `there is no '${word}'.${hint} Options begin with --; the other uses are ${[...VERBS.keys()].join(', ')}.`;
}

// the same file is the library
if (require.main === module) main().catch(abort);
