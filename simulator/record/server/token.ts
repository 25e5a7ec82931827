import { readFileSync } from 'node:fs';
import { UsageError } from '../../cli/usage-error';
import { codeOf } from '../../cli/code-of';

export interface ApiToken {
  id: string;
  secret: string;
}

/** The token of `--token-file` (one line, ID=SECRET), else of PVE_TOKEN_ID and PVE_TOKEN_SECRET. No message holds a secret. */
export function readToken(file: string | undefined, environment: NodeJS.ProcessEnv): ApiToken {
  const token = file === undefined ? fromEnvironment(environment) : fromFile(file);
  if (!/^[^\s!=]+@[^\s!=]+![A-Za-z][\w.-]*$/.test(token.id)) {
    throw new UsageError('the id of the token is not of the form USER@REALM!NAME');
  }
  if (!/^[\w.-]+$/.test(token.secret)) throw new UsageError('the secret of the token is empty, or no secret');
  return token;
}

function fromEnvironment(environment: NodeJS.ProcessEnv): ApiToken {
  const read = (name: string): string => {
    const value = environment[name];
    const file = environment[`${name}_FILE`];
    if (value && file) throw new UsageError(`set ${name} or ${name}_FILE, not both`);
    return value || (file ? readLine(file) : '');
  };
  const [id, secret] = [read('PVE_TOKEN_ID'), read('PVE_TOKEN_SECRET')];
  if (id === '' || secret === '') {
    throw new UsageError('no token: set PVE_TOKEN_ID and PVE_TOKEN_SECRET, or give --token-file');
  }
  return { id, secret };
}

function fromFile(path: string): ApiToken {
  const [, id, secret] = /^([^=]+)=(\S+)$/.exec(readLine(path)) ?? [];
  if (id === undefined || secret === undefined) {
    throw new UsageError(`the file ${path} must hold one line: USER@REALM!NAME=SECRET`);
  }
  return { id, secret };
}

function readLine(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`the file ${path} cannot be read: ${codeOf(error)}`);
  }
}
