import type { Path } from '../../../spec';
import type { CLUSTER_VARIABLES } from '../../config/cluster-variables';
import { placeIn } from '../read/manifest';
import type { Reading } from '../read/rows';
import type { Secrets } from './secrets';

export type Variable = (typeof CLUSTER_VARIABLES)[number];

/** What manifests say in place of the environment: each value, and the place that says so. */
export type Variables = Map<Variable, { value: string; place: string }>;

/** What reading the variables of a cluster works with. */
export interface SecretSources extends Reading {
  variables: Variables;
  secrets: Secrets;
  /** The environment has credentials for it: a Secret that is nowhere is no fault then. */
  isElsewhere: boolean;
}

/** Gives a variable what a reference names. False: the Secret is nowhere, and the environment has what it would give. */
export function giveReferred(
  sources: SecretSources,
  variable: Variable,
  reference: unknown,
  path: Path,
): boolean {
  const { manifest, secrets, isElsewhere } = sources;
  const value = secrets.referred(manifest, path, reference, isElsewhere);
  if (value !== undefined && !refusesPath(sources, variable, value, path))
    give(sources, variable, value, path);
  return value !== undefined || !isElsewhere;
}

/** Gives a variable its value. Where another place gave it another one, that is reported. */
export function give(
  { manifest, problems, variables }: Reading & { variables: Variables },
  variable: Variable,
  value: string,
  path: Path,
): void {
  const earlier = variables.get(variable);
  if (earlier !== undefined && earlier.value !== value) {
    const reason = `gives PVE_${variable} another value than ${earlier.place}`;
    problems.add(manifest, { path, reason, remedy: 'Keep one of both.' });
  }
  variables.set(variable, { value, place: placeIn(manifest, path) });
}

const PEM: readonly string[] = ['CA_BUNDLE', 'CLIENT_CERT', 'CLIENT_KEY'];

/** Whether a path stands where the text of a certificate may stand too, and nobody may name files: that is reported. */
export function refusesPath(
  { manifest, secrets }: Reading & { secrets: Secrets },
  variable: Variable,
  value: unknown,
  path: Path,
): boolean {
  if (!PEM.includes(variable) || String(value).includes('-----BEGIN')) return false;
  return secrets.refusesPlace(manifest, path, 'Give the PEM text itself: it begins with -----BEGIN.');
}

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
