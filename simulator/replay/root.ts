import { readFileSync } from 'node:fs';
import { codeOf } from '../cli/code-of';
import { UsageError } from '../cli/usage-error';
import { readToken } from '../record/server/token';
import type { Root } from './credentials';
import type { OfEndpoint } from './options';

/** Who plays root at a server: with his password, or else with a token. */
export function rootOf(
  { user, tokenFile }: Pick<OfEndpoint, 'user' | 'tokenFile'>,
  env: NodeJS.ProcessEnv,
): Root {
  const password = passwordIn(env);
  const hasToken = tokenFile !== undefined || Boolean(env['PVE_TOKEN_ID']);
  if (password === undefined && !hasToken)
    throw new UsageError(
      `there is no login: set PVE_PASSWORD to the password of ${user}, or PVE_TOKEN_ID and PVE_TOKEN_SECRET, or give --token-file`,
    );
  return {
    user,
    ...(password === undefined ? {} : { password }),
    ...(hasToken ? { token: readToken(tokenFile, env) } : {}),
  };
}

function passwordIn(env: NodeJS.ProcessEnv): string | undefined {
  const { PVE_PASSWORD: password = '', PVE_PASSWORD_FILE: file = '' } = env;
  if (password !== '' && file !== '') throw new UsageError('set PVE_PASSWORD or PVE_PASSWORD_FILE, not both');
  if (file === '') return password === '' ? undefined : password;
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new UsageError(`the file ${file} of PVE_PASSWORD_FILE cannot be read: ${codeOf(error)}`);
  }
}
