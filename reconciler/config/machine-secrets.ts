import { readFileSync } from 'node:fs';
import type { MachineSpec } from '../../spec';
import type { Environment } from './variables';
import type { PlanContext } from '../machine/plan-context';
import { sha512Crypt } from './password-hash';

/**
 * The secrets of one machine. They are read and hashed when a plan first needs them, stay in memory, and never stand
 * in a message.
 */
export function secretsOf({ cloudInit }: MachineSpec, environment: Environment): PlanContext['secrets'] {
  const reference = cloudInit?.passwordFrom;
  if (reference === undefined) return {};
  let hashed: string | undefined;
  return {
    get password() {
      hashed ??= hashOf(resolve(reference, environment));
      return hashed;
    },
  };
}

type Reference = NonNullable<NonNullable<MachineSpec['cloudInit']>['passwordFrom']>;

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
function hashOf(password: string | undefined): string | undefined {
  if (password === undefined || password === '') return undefined;
  return /^\$[56y]\$/.test(password) ? password : sha512Crypt(password);
}
