import { connect, PveError, readVersion, type PveConfig, type PveErrorKind } from '../pve';
import { fault, warning, type Check, type Finding } from './finding';

const NOT_PROXMOX = 'Is it Proxmox VE that answers there? Look at its log: journalctl -u pveproxy.';

/**
 * What each failure of a reading is about, and the remedy; without one Proxmox's own words say enough. Of any other it is
 * the endpoint.
 */
const REMEDIES: Partial<Record<PveErrorKind, [Check, remedy?: string]>> = {
  unreachable: [
    'endpoint',
    'Check PVE_ENDPOINT or cluster.endpoint, that the node is up, and that its port 8006 answers from here.',
  ],
  untrusted: [
    'tls',
    'Set PVE_CA_BUNDLE to the authority (/etc/pve/pve-root-ca.pem of a node), or PVE_FINGERPRINT to the fingerprint of the certificate.',
  ],
  unauthenticated: [
    'credentials',
    'Check PVE_TOKEN_ID and PVE_TOKEN_SECRET, or PVE_USERNAME and PVE_PASSWORD; that the user is enabled, and that nothing has expired.',
  ],
  denied: ['permissions'],
  'no-quorum': ['quorum'],
  'not-implemented': ['version', NOT_PROXMOX],
  unreadable: ['version', NOT_PROXMOX],
  failed: ['endpoint', NOT_PROXMOX],
  invalid: ['endpoint', NOT_PROXMOX],
  'not-found': ['endpoint', NOT_PROXMOX],
};

/** What is wrong with each address of a cluster: one that answers hides another that does not. Reads only. */
export async function wayFindings(way: PveConfig): Promise<Finding[]> {
  const each = await Promise.all(way.endpoints.map(endpoint => ofOne({ ...way, endpoints: [endpoint] })));
  const insecure = warning(
    'tls',
    'the certificate is not checked: whoever is on the network can read the credentials.',
    'Set PVE_FINGERPRINT or PVE_CA_BUNDLE, and remove PVE_INSECURE_SKIP_VERIFY.',
  );
  return [...(way.tls.insecure ? [insecure] : []), ...each.flat()];
}

async function ofOne(way: PveConfig): Promise<Finding[]> {
  const pve = connect(way);
  try {
    await readVersion(pve);
    return [];
  } catch (error) {
    return [findingOf(error)];
  } finally {
    await pve.close();
  }
}

/** What a failed reading means; throws what nobody foresaw. */
export function findingOf(error: unknown): Finding {
  if (!(error instanceof PveError)) throw error;
  const [check, remedy = error.advice] = REMEDIES[error.kind] ?? ['endpoint'];
  return fault(check, error.said, remedy);
}
