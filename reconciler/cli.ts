#!/usr/bin/env node
import { existsSync, fstatSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WORKER } from './client/connect';
import { mayShare, sharedRun, type Program } from './client/shared-run';

// Whoever reads may leave first; what is under way in Proxmox must not suffer from it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
process.stdout.once('error', tellLost);
// Node takes a write that a full disk cut short for a whole one
if (isFile(1)) process.stdout._write = writeWhole;

/** The file beside this one that holds all the rest: a client of a worker never loads it. */
const program = path.join(__dirname, path.basename(__filename).replace('reconciler', 'reconciler-program'));

void main(process.argv.slice(2));

async function main(words: string[]): Promise<void> {
  const [word, socket] = words;
  if (word === WORKER && socket !== undefined && process.connected)
    return (await load({ isWorker: true }))?.serve(socket);
  const ending = mayShare(words, process.env['PVE_RUN'])
    ? await sharedRun(words, { client: __filename, program })
    : { code: undefined };
  if (ending.code !== undefined) {
    process.exitCode = ending.code;
    return;
  }
  const loaded = await load({ isWorker: false });
  if (loaded) return loaded.runAlone(words, ending);
  process.exitCode = 2;
  process.stderr.write(
    `${program} is missing: it belongs beside ${path.basename(__filename)}. Copy both files, or synthesize the stack again. Nothing was sent.\n`,
  );
}

/** A reader that left wants no more; a full disk is another matter: whoever asked has half of an answer, or none. */
function tellLost(error: Error): void {
  const code = 'code' in error ? String(error.code) : error.message;
  if (code === 'EPIPE') return;
  process.once('exit', ended => (process.exitCode = ended || 1));
  process.stderr.write(
    `ERROR: what this run tells cannot be written (${code}): it is cut short. Make room, or write it elsewhere. What was done in Proxmox stays done.\n`,
  );
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

function writeWhole(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
  try {
    writeFileSync(1, chunk);
  } catch (error) {
    return done(error instanceof Error ? error : new Error(String(error)));
  }
  done();
}

async function load(as: { isWorker: boolean }): Promise<Program | undefined> {
  if (!existsSync(program)) return undefined;
  // what loads it is nothing that a client of a worker needs
  const { loadProgram } = await import('./client/load-program.js');
  return loadProgram(program, as);
}
