import { readFileSync } from 'node:fs';
import type { MachineSpec } from '../../spec';
import type { Environment } from './variables';

type Reference = NonNullable<NonNullable<MachineSpec['cloudInit']>['passwordFrom']>;

/** What stands where a spec points to; or where that is and why nothing was read there, in words without any of it. */
export type Referred = { text: string } | { absent: string };

/** Reads a variable or file that a spec names. One with nothing but white space counts as none. */
export function readReference(
  { environment: name, file = '' }: Reference,
  environment: Environment,
): Referred {
  if (name !== undefined) {
    const text = environment[name];
    if (text !== undefined && text.trim() !== '') return { text };
    return {
      absent: `the environment variable ${name}, which is ${text === undefined ? 'not set' : 'empty'}`,
    };
  }
  try {
    const text = readFileSync(file, 'utf8');
    return text.trim() === '' ? { absent: `the file ${file}, which is empty` } : { text };
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
    const why = WHY[code] ?? 'cannot be read';
    const from = file.startsWith('/') ? '' : ` (looked for from ${process.cwd()})`;
    return { absent: `the file ${file}, which ${why}${from}` };
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  ENOTDIR: 'is not there',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a folder',
};
