import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRecord } from '../../spec';
import { readNamedNow, UnfitFileError } from './named-file';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of one cluster, without their prefix. Each may also be given as `…_FILE`, the path of a file. */
export const CLUSTER_VARIABLES = [
  'ENDPOINT',
  'TOKEN_ID',
  'TOKEN_SECRET',
  'USERNAME',
  'PASSWORD',
  'TOTP_SECRET',
  'NODE_SELECTOR',
  'INSECURE_SKIP_VERIFY',
  'CA_BUNDLE',
  'CLIENT_CERT',
  'CLIENT_KEY',
  'FINGERPRINT',
] as const;
/** What counts for all clusters, after the plain prefix. */
export const GENERAL_VARIABLES = ['TASK_TIMEOUT', 'TASK_POLL_INTERVAL', 'REQUEST_TIMEOUT', 'SOURCE'];

type ClusterVariable = (typeof CLUSTER_VARIABLES)[number];

/** The set of one prefix as it was read. No text in it is ever printed but by those who know that it is no secret. */
export interface Variables {
  prefix: string;
  values: Partial<Record<ClusterVariable, string>>;
  /** The name of a variable as the user has set it, with `_FILE` where that is it; without that where nothing is set. */
  nameOf: (variable: ClusterVariable) => string;
  /** Whether the user has set it, or its file: also where no value came of that, which is reported. */
  isGiven: (variable: ClusterVariable) => boolean;
  /** What could not be read, one text each. */
  faults: string[];
}

/** Whether any variable of a prefix is there. An empty one counts as not there. */
export function hasVariables(prefix: string, environment: Environment): boolean {
  return CLUSTER_VARIABLES.some(name => isSet(environment, prefix + name));
}

/** Reads the set of one prefix, and the files that it names. */
export function readVariables(prefix: string, environment: Environment): Variables {
  const nameOf = (name: ClusterVariable): string => setName(prefix + name, environment);
  const isGiven = (name: ClusterVariable): boolean => isSet(environment, prefix + name);
  const variables: Variables = { prefix, values: {}, nameOf, isGiven, faults: [] };
  for (const name of CLUSTER_VARIABLES) {
    const value = readVariable(prefix + name, environment, variables.faults);
    if (value !== undefined) variables.values[name] = value;
  }
  return variables;
}

/** The name under which a variable is set: its own, or the one that names its file. */
export function setName(name: string, environment: Environment): string {
  const isOfFile = nonEmpty(environment[name]) === undefined && nonEmpty(environment[`${name}_FILE`]);
  return isOfFile ? `${name}_FILE` : name;
}

/** One variable, or the content of the file that its `…_FILE` names. */
export function readVariable(name: string, environment: Environment, faults: string[]): string | undefined {
  const value = nonEmpty(environment[name]);
  const path = nonEmpty(environment[`${name}_FILE`]);
  if (path === undefined) return value;
  if (value !== undefined) {
    faults.push(`${name} and ${name}_FILE are both set: keep one of them.`);
    return value;
  }
  return readText(path, `${name}_FILE`, faults);
}

/**
 * A file's text without its last line end. The fault names the variable and the file, never what is in it; nor the
 * path, when it leads nowhere: somebody may have put the secret itself in its place.
 */
export function readText(path: string, variable: string, faults: string[]): string | undefined {
  try {
    const bytes = readNamedNow(path);
    if (!isUtf8(bytes)) {
      faults.push(`${variable}: ${shownFile(path)} is no text in UTF-8. Save it as UTF-8.`);
      return undefined;
    }
    const text = bytes.toString().replace(/\r?\n$/, '');
    if (text === '') faults.push(`${variable}: ${shownFile(path)} is empty.`);
    return nonEmpty(text);
  } catch (error) {
    if (error instanceof UnfitFileError) {
      faults.push(`${variable}: ${shownFile(path)} ${error.why}`);
      return undefined;
    }
    if (isRecord(error) && error['code'] === 'EISDIR') {
      faults.push(
        `${variable}: ${shownFile(path).replace('the file /', '/')} is a folder. Name a file in it.`,
      );
      return undefined;
    }
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    faults.push(
      `${variable}: ${shownFile(path)} cannot be read (${code}). Name one that is there and that this user may read.`,
    );
    return undefined;
  }
}

/** No secret of Proxmox has such a form. */
const PEM_FILE = /^[\w./-]+\.(?:pem|crt|cer|key)$/;

function shownFile(file: string): string {
  const folder = dirname(file);
  const leadsSomewhere = /^(?:\/|\.\.?\/)/.test(file) && folder !== '/' && existsSync(folder);
  return leadsSomewhere || PEM_FILE.test(file) ? `the file ${file}` : 'the file that it names';
}

/** Whether a variable is there, or the one that names its file. */
export function isSet(environment: Environment, name: string): boolean {
  return nonEmpty(environment[name]) !== undefined || nonEmpty(environment[`${name}_FILE`]) !== undefined;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
