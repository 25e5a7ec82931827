#!/usr/bin/env node
import { existsSync } from 'node:fs';
import path from 'node:path';
import { mayShare, sharedRun, type Program } from './client/shared-run';

// Whoever reads may leave first; what is under way in Proxmox must not suffer from it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/** The file beside this one that holds all the rest: a client of a worker never loads it. */
const program = path.join(__dirname, path.basename(__filename).replace('reconciler', 'reconciler-program'));

void main(process.argv.slice(2));

async function main(words: string[]): Promise<void> {
  const ending = mayShare(words, process.env['PVE_RUN'])
    ? await sharedRun(words, program)
    : { code: undefined };
  if (ending.code !== undefined) {
    process.exitCode = ending.code;
    return;
  }
  const loaded = load();
  if (loaded) return loaded.runAlone(words, ending);
  process.exitCode = 2;
  process.stderr.write(
    `${program} is missing: it belongs beside ${path.basename(__filename)}. Copy both files, or synthesize the stack again. Nothing was sent.\n`,
  );
}

function load(): Program | undefined {
  if (!existsSync(program)) return undefined;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- its name is known only here, beside this very file
  return require(program);
}
