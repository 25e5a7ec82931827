import { rowOf, textOf } from '../record/shape';
import type { Row } from '../record/shape';
import type { World } from '../world';
import type { Credentials } from './logins';

export interface Root {
  user: string;
  password?: string;
  /** A token that plays root where there is no password. */
  token?: { id: string; secret: string };
}

/** The passwords and secrets that a world file names, and those of whoever plays root. */
export function credentialsOf(world: Row, { user, password, token }: Root): Credentials {
  const passwords = {
    ...textsIn(rowOf(world['users']), 'password'),
    ...(password === undefined ? {} : { [user]: password }),
  };
  const tokens = {
    ...textsIn(rowOf(world['tokens']), 'value'),
    ...(token === undefined ? {} : { [token.id]: token.secret }),
  };
  return { user, passwords, tokens, ...(token === undefined ? {} : { rootToken: token.id }) };
}

/** One text of each row, by the row's name. */
function textsIn(rows: Row, field: string): Record<string, string> {
  const found = Object.entries(rows).map(([name, row]) => [name, textOf(rowOf(row)[field])] as const);
  return Object.fromEntries(
    found.flatMap(([name, text]): [string, string][] => (text === undefined ? [] : [[name, text]])),
  );
}

/** The passwords and secrets of all users of a world. */
export function credentialsInWorld({ access: { users } }: World, user: string): Credentials {
  const passwords: Record<string, string> = {};
  const tokens: Record<string, string> = {};
  for (const [name, { password, tokens: own }] of Object.entries(users)) {
    if (password !== undefined) passwords[name] = password;
    for (const [id, { value }] of Object.entries(own)) tokens[`${name}!${id}`] = value;
  }
  return { user, passwords, tokens };
}
