import { isRecord, parseCluster, type Path } from '../../../spec';
import { nameIn } from '../read/catalog';
import type { Draft } from '../read/draft';
import type { ManifestSurroundings } from '../surroundings';
import { unknownField, type Reading } from '../read/rows';
import { runtimeVariables } from './runtime-variables';
import { secretVariables } from './secret-variables';
import type { Secrets } from './secrets';
import { dropCredentials, give, giveReferred, joinToken, refusesPath } from './give-variable';
import type { SecretSources, Variable, Variables } from './give-variable';

interface Field {
  variable: Variable;
  /** Where it goes when it stands in the document itself; absent: a secret, which never stands there. */
  plain?: 'variable' | 'spec';
}

const CREDENTIALS: Readonly<Record<string, Field>> = {
  username: { variable: 'USERNAME', plain: 'variable' },
  password: { variable: 'PASSWORD' },
  tokenID: { variable: 'TOKEN_ID', plain: 'variable' },
  tokenSecret: { variable: 'TOKEN_SECRET' },
  totpSecret: { variable: 'TOTP_SECRET' },
};
const CERTIFICATES: Readonly<Record<string, Field>> = {
  caCertificate: { variable: 'CA_BUNDLE', plain: 'spec' },
  clientCertificate: { variable: 'CLIENT_CERT', plain: 'spec' },
  clientKey: { variable: 'CLIENT_KEY' },
};

/** What reading the manifest of a cluster works with. */
interface Drafted extends SecretSources {
  draft: Draft;
}

/** The credentials and settings that the manifest of a cluster gives, by itself or by the Secrets that it names. */
export function clusterVariables(
  reading: Reading,
  draft: Draft,
  secrets: Secrets,
  given: ManifestSurroundings,
): Variables {
  const { manifest } = reading;
  const variables: Variables = new Map();
  const sources = { ...reading, draft, variables, secrets, isElsewhere: given.hasCredentials(manifest.name) };
  const found = [
    fromCredentials(sources),
    fromFields(sources, manifest.spec, ['spec'], CERTIFICATES),
    fromWholeSecret(sources),
    runtimeVariables(sources),
  ];
  if (found.includes(false)) dropCredentials(variables);
  joinToken(variables);
  refuseTwice(sources);
  return variables;
}

/** False: a Secret is nowhere, and the environment has what it would give. */
function fromCredentials(sources: Drafted): boolean {
  const { manifest, problems, draft } = sources;
  const { credentials } = manifest.spec;
  const at = ['spec', 'credentials'];
  if (credentials === undefined || credentials === null) return true;
  if (!isRecord(credentials)) {
    const remedy = 'Give username and password, or tokenID and tokenSecret, each secret by its secretRef.';
    problems.add(manifest, { path: at, allowed: 'an object', remedy });
    return true;
  }
  const known = [...Object.keys(CREDENTIALS).flatMap(field => [field, `${field}SecretRef`]), 'prefix'];
  Object.keys(credentials)
    .filter(key => !known.includes(key))
    .forEach(key => problems.add(manifest, unknownField([...at, key], known)));
  const { prefix } = credentials;
  const mayChoose = prefix === undefined || !refusesPrefix(sources, [...at, 'prefix']);
  if (prefix !== undefined && mayChoose) draft.set(['credentials', 'prefix'], prefix, [...at, 'prefix']);
  return fromFields(sources, credentials, at, CREDENTIALS);
}

function refusesPrefix({ manifest, secrets }: Drafted, path: Path): boolean {
  return secrets.refusesPlace(manifest, path, 'Remove it, and name a Secret: {secretRef: {name, key}}.');
}

function fromFields(
  sources: Drafted,
  fields: Readonly<Record<string, unknown>>,
  at: Path,
  table: Readonly<Record<string, Field>>,
): boolean {
  const found = Object.entries(table).map(([field, row]) => {
    const said = fields[field] ?? undefined;
    const reference = fields[`${field}SecretRef`] ?? undefined;
    const { variable } = row;
    if (reference !== undefined)
      return giveReferred(sources, variable, reference, [...at, `${field}SecretRef`]);
    if (isRecord(said))
      return giveReferred(sources, variable, said['secretRef'], [...at, field, 'secretRef']);
    if (said !== undefined) fromText(sources, said, [...at, field], row);
    return true;
  });
  return !found.includes(false);
}

function fromText(sources: Drafted, said: unknown, path: Path, field: Field): void {
  const { manifest, problems, draft } = sources;
  if (refusesPath(sources, field.variable, said, path)) return;
  if (field.plain === 'spec') draft.set([String(path.at(-1))], said, path);
  else if (field.plain === 'variable' && typeof said === 'string') give(sources, field.variable, said, path);
  else {
    const remedy = 'Put the value into a Secret, and name that instead: {secretRef: {name, key}}.';
    problems.add(manifest, { path, reason: 'never stands in such a document', remedy });
  }
}

function fromWholeSecret(sources: SecretSources): boolean {
  const { manifest, problems, secrets, isElsewhere } = sources;
  const reference = manifest.spec['credentialSecretRef'] ?? undefined;
  if (reference === undefined) return true;
  const path = ['spec', 'credentialSecretRef'];
  const named = nameIn(manifest, path, reference, problems);
  if (named === undefined || secrets.refusesOther(manifest, path, named.namespace)) return true;
  const values = secrets.find(named.namespace, named.name);
  if (values !== undefined) secretVariables(sources, values, path);
  else if (!isElsewhere) secrets.dangling(manifest, [...path, 'name'], named.namespace, named.name);
  return values !== undefined || !isElsewhere;
}

/** Fields of a cluster that count before the variable beside them, which would then do nothing. */
const FIELDS: readonly [Variable, string][] = [
  ['ENDPOINT', 'endpoint'],
  ['ENDPOINT', 'endpoints'],
  ['INSECURE_SKIP_VERIFY', 'insecureSkipTlsVerify'],
  ['CA_BUNDLE', 'caCertificate'],
  ['CLIENT_CERT', 'clientCertificate'],
  ['FINGERPRINT', 'fingerprint'],
];

/** Tells what a cluster says in a field and in a Secret or setting too, unless both say the same address or word. */
function refuseTwice({ manifest, problems, draft, variables }: Drafted): void {
  for (const [variable, field] of FIELDS) {
    const given = variables.get(variable);
    const said = draft.json[field];
    if (given === undefined || said === undefined || plain(given.value) === plain(said)) continue;
    const reason = `is given otherwise at ${given.place}, as PVE_${variable}`;
    problems.add(manifest, { path: draft.sourceOf([field]), reason, remedy: 'Keep one of both.' });
  }
}

/** Each address as a spec reads it; anything else as it is. */
function plain(value: unknown): string {
  const address = (text: string): string => {
    const parsed = parseCluster({ name: 'cluster', endpoint: text });
    return parsed.ok ? (parsed.value.endpoint ?? text) : text;
  };
  return String(value).split(',').map(address).join(',');
}
