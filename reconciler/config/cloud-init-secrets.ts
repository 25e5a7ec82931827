import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { CLOUD_INIT_DATA, hasOwnData, type CloudInitTexts, type MachineSpec } from '../../spec';
import type { Environment } from './cluster-variables';
import { whyUnreadable } from '../errors';
import type { MachineSecrets } from '../machine/plan-context';
import { sha512Crypt } from './password-hash';
import { readNamedNow, UnfitFileError } from './named-file';

/**
 * The secrets of one machine. They are read and hashed when a plan first needs them, stay in memory, and never stand
 * in a message.
 */
export function secretsOf({ cloudInit }: MachineSpec, environment: Environment): MachineSecrets {
  if (cloudInit === undefined) return {};
  const hasData = hasOwnData(cloudInit);
  if (!hasData && cloudInit.passwordFrom === undefined) return {};
  let read: ReturnType<typeof readData> | undefined;
  const reading = () => (read ??= readData(cloudInit, environment));
  const hashes = new Map<string | undefined, string | undefined>();
  const hashed = (salt?: string): string | undefined => {
    if (!hashes.has(salt)) hashes.set(salt, hashOf(reading().password, salt && saltOf(salt)));
    return hashes.get(salt);
  };
  if (!hasData)
    return {
      get password() {
        return hashed();
      },
      get missing() {
        return reading().missing;
      },
    };
  // data is compared in every plan, so that the password in it is always needed, too
  return {
    get data() {
      return reading().data;
    },
    get missing() {
      return reading().missing;
    },
    hashedWith: hashed,
  };
}

type CloudInit = NonNullable<MachineSpec['cloudInit']>;
type Reference = NonNullable<CloudInit['passwordFrom']>;

function readData(cloudInit: CloudInit, environment: Environment) {
  const data: CloudInitTexts = {};
  const missing: string[] = [];
  const read = (field: string, reference: Reference): string | undefined => {
    const referred = readReference(reference, environment);
    if ('text' in referred) return referred.text;
    missing.push(pointing(field, referred));
    return undefined;
  };
  for (const field of CLOUD_INIT_DATA) {
    const reference = cloudInit[`${field}From`];
    const text = reference === undefined ? cloudInit[field] : read(`${field}From`, reference);
    if (text !== undefined) data[field] = text;
  }
  const { passwordFrom } = cloudInit;
  const password = passwordFrom === undefined ? undefined : read('passwordFrom', passwordFrom);
  return { data, missing, password: password && withoutLastLineEnd(password) };
}

function pointing(field: string, { absent }: Extract<Referred, { absent: string }>): string {
  return `cloudInit.${field} names ${absent}`;
}

/** An editor ends the line of a password; data goes as it is, since a text in it may end where the file does. */
function withoutLastLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/** A salt need not be secret, only another one for each guest. */
function saltOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** What is hashed already goes as it is. */
function hashOf(password: string | undefined, salt?: string): string | undefined {
  if (password === undefined || password === '') return undefined;
  return /^\$[56y]\$/.test(password) ? password : sha512Crypt(password, salt);
}

/** What stands where a spec points to; or where that is and why nothing was read there, in words without any of it. */
type Referred = { text: string } | { absent: string };

/** Reads a variable or file that a spec names. One with nothing but white space counts as none. */
function readReference({ environment: name, file = '' }: Reference, environment: Environment): Referred {
  if (name !== undefined) {
    const text = environment[name];
    if (text !== undefined && text.trim() !== '') return { text };
    return {
      absent: `the environment variable ${name}, which is ${text === undefined ? 'not set' : 'empty'}`,
    };
  }
  try {
    const bytes = readNamedNow(file);
    if (!isUtf8(bytes)) return { absent: `the file ${file}, which is no text in UTF-8` };
    const text = bytes.toString();
    return text.trim() === '' ? { absent: `the file ${file}, which is empty` } : { text };
  } catch (error) {
    if (error instanceof UnfitFileError) return { absent: `the file ${file}, which ${error.why}` };
    const from = file.startsWith('/') ? '' : ` (looked for from ${process.cwd()})`;
    return { absent: `the file ${file}, which ${whyUnreadable(error)}${from}` };
  }
}
