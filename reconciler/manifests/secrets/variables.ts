import type { CLUSTER_VARIABLES } from '../../config/variables';

export type Variable = (typeof CLUSTER_VARIABLES)[number];

/** What manifests say in place of the environment: each value, and the place that says so. */
export type Variables = Map<Variable, { value: string; place: string }>;

/** Those that say who asks: they come from one place, all of them. */
const CREDENTIALS: readonly Variable[] = ['USERNAME', 'PASSWORD', 'TOKEN_ID', 'TOKEN_SECRET', 'TOTP_SECRET'];

export function dropCredentials(variables: Variables): void {
  CREDENTIALS.forEach(name => variables.delete(name));
}

/** A bare token id belongs to the user beside it; a whole one makes that user needless. */
export function joinToken(variables: Variables): void {
  const user = variables.get('USERNAME');
  const token = variables.get('TOKEN_ID');
  if (user === undefined || token === undefined || variables.has('PASSWORD')) return;
  const isBare = !token.value.includes('!');
  if (!isBare && !token.value.startsWith(`${user.value}!`)) return;
  if (isBare) variables.set('TOKEN_ID', { ...token, value: `${user.value}!${token.value}` });
  variables.delete('USERNAME');
}
