import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CLOUD_INIT_DATA, hasOwnData, type CloudInitTexts, type MachineSpec } from '../../spec';
import type { Environment } from './variables';
import type { MachineSecrets } from '../machine/plan-context';
import { sha512Crypt } from './password-hash';

/**
 * The secrets of one machine. They are read and hashed when a plan first needs them, stay in memory, and never stand
 * in a message.
 */
export function secretsOf({ cloudInit }: MachineSpec, environment: Environment): MachineSecrets {
  if (cloudInit === undefined) return {};
  const { passwordFrom: reference } = cloudInit;
  if (hasOwnData(cloudInit)) return dataOf(cloudInit, environment);
  if (reference === undefined) return {};
  let hashed: string | undefined;
  return {
    get password() {
      hashed ??= hashOf(resolve(reference, environment));
      return hashed;
    },
  };
}

type CloudInit = NonNullable<MachineSpec['cloudInit']>;
type Reference = NonNullable<CloudInit['passwordFrom']>;

/** Data and all that goes into it. It is compared in every plan, so that the password is always needed, too. */
function dataOf(cloudInit: CloudInit, environment: Environment): MachineSecrets {
  let read: { data: CloudInitTexts; missing: string[]; password: string | undefined } | undefined;
  const reading = () => (read ??= readData(cloudInit, environment));
  const hashes = new Map<string, string | undefined>();
  return {
    get data() {
      return reading().data;
    },
    get missing() {
      return reading().missing;
    },
    hashedWith: salt => {
      if (!hashes.has(salt)) hashes.set(salt, hashOf(reading().password, saltOf(salt)));
      return hashes.get(salt);
    },
  };
}

function readData(cloudInit: CloudInit, environment: Environment) {
  const data: CloudInitTexts = {};
  const missing: string[] = [];
  const read = (field: string, reference: Reference): string | undefined => {
    const text = resolve(reference, environment);
    if (text === undefined || text === '') missing.push(field);
    return text;
  };
  for (const field of CLOUD_INIT_DATA) {
    const reference = cloudInit[`${field}From`];
    const text = reference === undefined ? cloudInit[field] : read(`${field}From`, reference);
    if (text !== undefined) data[field] = text;
  }
  const { passwordFrom } = cloudInit;
  const password = passwordFrom === undefined ? undefined : read('passwordFrom', passwordFrom);
  return { data, missing, password };
}

/** A salt need not be secret, only another one for each guest. */
function saltOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Undefined when there is none: the plan then says which variable or file is missing. */
function resolve({ environment: name, file }: Reference, environment: Environment): string | undefined {
  if (name !== undefined) return environment[name];
  try {
    return file === undefined ? undefined : readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}

/** What is hashed already goes as it is. */
function hashOf(password: string | undefined, salt?: string): string | undefined {
  if (password === undefined || password === '') return undefined;
  return /^\$[56y]\$/.test(password) ? password : sha512Crypt(password, salt);
}
