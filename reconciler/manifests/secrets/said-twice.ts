import type { Draft } from '../read/draft';
import type { Reading } from '../read/rows';
import type { Variable, Variables } from './variables';

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
export function refuseTwice({
  manifest,
  problems,
  draft,
  variables,
}: Reading & { draft: Draft; variables: Variables }): void {
  for (const [variable, field] of FIELDS) {
    const given = variables.get(variable);
    const said = draft.json[field];
    if (given === undefined || said === undefined || plain(given.value) === plain(said)) continue;
    const reason = `is given otherwise at ${given.place}, as PVE_${variable}`;
    problems.add(manifest, { path: draft.sourceOf([field]), reason, remedy: 'Keep one of both.' });
  }
}

/** An address up to what follows its host and port; anything else as it is. */
function plain(value: unknown): string {
  return String(value)
    .replace(/^(https:\/\/[^/:]+(?::\d+)?)(?:\/.*)?$/i, '$1')
    .replace(/^(https:\/\/[^/:]+)$/i, '$1:8006');
}
