import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './code-of';
import type { CliOptions } from './options';
import { UsageError } from './usage-error';

/** Fails before anything is started when the folder of a file that will be written is not there, or takes none. */
export function checkPlace(option: string, path: string): void {
  const folder = dirname(path);
  const why = whyNot(folder);
  if (why !== undefined)
    throw new UsageError(`${option} ${path}: the folder ${folder} ${why}; make it, or name another file`);
}

function whyNot(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return 'is no folder';
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' ? 'is not there' : `cannot be written (${code})`;
  }
}

/** Why an address cannot be listened at, by the code of the system, and what helps. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there; end it, or say another --port (0: any free one)',
  EACCES: 'this user may not listen there; say a --port above 1023',
  EADDRNOTAVAIL: 'this machine does not have that address; say one of its own with --host',
  ENOTFOUND: 'no such name is known; say an address of this machine with --host',
  EAI_AGAIN: 'that name cannot be looked up now; say an address of this machine with --host',
};

/** Tells a failure to listen in one sentence. A taken port is not the fault of the words: try again later. */
export function notListening({ host, port }: CliOptions): (error: unknown) => never {
  return error => {
    const code = codeOf(error);
    const reason = REASONS[code];
    if (reason === undefined) throw error;
    const text = `it cannot listen on ${host}, port ${port} (${code}): ${reason}`;
    throw code === 'EADDRINUSE' ? new Error(text, { cause: error }) : new UsageError(text, { cause: error });
  };
}
