import { connect, PveError, readVersion, type Pve, type PveConfig, type PveErrorKind } from '../pve';
import { CHECKS, fault, warning, type Check, type Finding } from './finding';

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

/** The last check that a failure proves. Any other is an answer, which may be that of another server. */
const PROVEN: Partial<Record<PveErrorKind, Check>> = {
  unreachable: 'endpoint',
  untrusted: 'tls',
  unauthenticated: 'credentials',
  denied: 'credentials',
  'no-quorum': 'credentials',
};

/** What was found on the way to a cluster, and the last check that an answer proves. */
export interface Way {
  findings: Finding[];
  reached: Check;
}

/** Called with each connection before anything is sent. */
type Watch = (pve: Pve) => void;

/** What is wrong with each address of a cluster: one that answers hides another that does not. Reads only. */
export async function wayFindings(way: PveConfig, watch: Watch): Promise<Way> {
  const each = await Promise.all(
    way.endpoints.map(endpoint => ofOne({ ...way, endpoints: [endpoint] }, watch)),
  );
  const insecure = warning(
    'tls',
    'the certificate is not checked: whoever is on the network can read the credentials.',
    'Set PVE_FINGERPRINT or PVE_CA_BUNDLE, and remove PVE_INSECURE_SKIP_VERIFY.',
  );
  return {
    findings: [...(way.tls.insecure ? [insecure] : []), ...each.flatMap(({ findings }) => findings)],
    reached: each.map(({ reached }) => reached).reduce(later, 'configuration'),
  };
}

async function ofOne(way: PveConfig, watch: Watch): Promise<Way> {
  const pve = connect(way);
  watch(pve);
  try {
    const { version } = await readVersion(pve);
    // Proxmox tells its version only to who is known to it; anybody else may answer anything
    return { findings: [], reached: version === '' ? 'tls' : 'credentials' };
  } catch (error) {
    return wayOf(error);
  } finally {
    await pve.close();
  }
}

/** What a failed reading means; throws what nobody foresaw. */
export function wayOf(error: unknown): Way {
  if (!(error instanceof PveError)) throw error;
  const [check, remedy = error.advice] = REMEDIES[error.kind] ?? ['endpoint'];
  return { findings: [fault(check, error.said, remedy)], reached: PROVEN[error.kind] ?? 'tls' };
}

/** The later of two checks. */
export function later(one: Check, other: Check): Check {
  return CHECKS.indexOf(other) > CHECKS.indexOf(one) ? other : one;
}
