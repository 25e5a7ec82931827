import { closest, type Path } from '../../../spec';
import { CLUSTER_VARIABLES } from '../../config/cluster-variables';
import type { Reading } from '../read/rows';
import type { Secrets } from './secrets';
import { give, refusesPath, type Variable, type Variables } from './give-variable';

/** The keys of a Secret that credentialSecretRef names, beside those that are called as variables are. */
const KEYS: Readonly<Record<string, Variable>> = {
  username: 'USERNAME',
  password: 'PASSWORD',
  'token-id': 'TOKEN_ID',
  token_id: 'TOKEN_ID',
  'token-secret': 'TOKEN_SECRET',
  token_secret: 'TOKEN_SECRET',
  'ca.crt': 'CA_BUNDLE',
  'tls.crt': 'CLIENT_CERT',
  'tls.key': 'CLIENT_KEY',
};
const KNOWN = [...Object.keys(KEYS), ...CLUSTER_VARIABLES.map(name => `PVE_${name}`)];

/** The variable that a key of a Secret, or an entry of `env`, stands for. */
export function variableOf(key: string): Variable | undefined {
  if (Object.hasOwn(KEYS, key)) return KEYS[key];
  return CLUSTER_VARIABLES.find(name => `PVE_${name}` === key);
}

/** Takes every key of a Secret that means something; one that is nearly known is reported. */
export function secretVariables(
  sources: Reading & { variables: Variables; secrets: Secrets },
  values: ReadonlyMap<string, string>,
  path: Path,
): void {
  const { manifest, problems } = sources;
  for (const [key, value] of values) {
    const variable = variableOf(key);
    const near = variable === undefined ? closest(key, KNOWN) : undefined;
    if (variable !== undefined) {
      if (!refusesPath(sources, variable, value, path)) give(sources, variable, value, path);
    } else if (near !== undefined)
      problems.add(manifest, {
        path,
        reason: `names a Secret with the unknown key "${key}"`,
        remedy: `Did you mean "${near}"?`,
      });
  }
  if (![...values.keys()].some(key => variableOf(key) !== undefined))
    problems.add(manifest, {
      path,
      reason: 'names a Secret without any known key',
      allowed: KNOWN.join(', '),
      remedy: 'Add the credentials to it.',
    });
}
