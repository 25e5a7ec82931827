/** A failure that we find ourselves, with a code as those of Node have one. */
export class CodedError extends Error {
  override readonly name = 'CodedError';
  constructor(
    readonly code: string,
    message: string,
    options?: { cause: unknown },
  ) {
    super(message, options);
  }
}

/**
 * Why a request did not leave, by the code of the failure: in words, with what to do where that is special. That a certificate
 * is not the pinned one, tls-connector says.
 */
interface Unsent {
  codes: RegExp;
  says: string;
  /** The server answered and is not trusted: trying again cannot help. */
  untrusted?: true;
}

const ROWS: readonly Unsent[] = [
  { codes: /^ECONNREFUSED$/, says: 'the connection was refused, nothing listens there' },
  { codes: /^ENOTFOUND$/, says: 'there is no such host' },
  { codes: /^EAI_AGAIN$/, says: 'the name service does not answer' },
  { codes: /^(?:EHOSTUNREACH|ENETUNREACH)$/, says: 'there is no way to that address' },
  { codes: /^UND_ERR_CONNECT_TIMEOUT$/, says: 'nobody answered in time' },
  { codes: /^(?:EPROTO|ERR_SSL_.*)$/, says: 'what answers there does not speak TLS as Proxmox does' },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    says:
      'its certificate has expired. Renew it on the node (pvecm updatecerts --force), or mend the clock of this ' +
      'computer',
    untrusted: true,
  },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    says: 'its certificate is not valid yet. Compare the clocks of the node and of this computer',
    untrusted: true,
  },
  {
    codes: /^ERR_TLS_HOST_NAME$/,
    says:
      'its certificate is not for this host name. Name it in PVE_ENDPOINT as its certificate does, or pin it with ' +
      'PVE_FINGERPRINT',
    untrusted: true,
  },
  {
    codes: /^ERR_TLS_FINGERPRINT$/,
    says: 'Compare it with "pvenode cert info" on the node. Only if it is the same, set PVE_FINGERPRINT to it',
    untrusted: true,
  },
  {
    codes: /^(?:SELF_SIGNED_.*|DEPTH_ZERO_.*|UNABLE_TO_.*|CERT_.*|ERR_TLS_CERT.*)$/,
    says:
      'its certificate is not signed by an authority that is trusted here. By variables: set PVE_CA_BUNDLE to the ' +
      '/etc/pve/pve-root-ca.pem of a node, or PVE_FINGERPRINT to the fingerprint of the certificate. In a document: ' +
      'set caCertificate or fingerprint of the cluster to the same',
    untrusted: true,
  },
  {
    codes: /^ERR_OSSL_X509_KEY_(?:VALUES|TYPE)_MISMATCH$/,
    says: 'PVE_CLIENT_KEY is not the key of PVE_CLIENT_CERT',
    untrusted: true,
  },
  {
    codes: /^ERR_OSSL_.*$/,
    says: 'a certificate or key of ours cannot be read. Check PVE_CLIENT_CERT, PVE_CLIENT_KEY and PVE_CA_BUNDLE',
    untrusted: true,
  },
  { codes: /^(?:ERR_TLS_.*|.*CERT.*)$/, says: 'no secure connection could be made', untrusted: true },
];

/** What became of a request that brought no answer. */
export interface Failure {
  text: string;
  why: 'unreachable' | 'untrusted' | 'unreadable';
}

/** What a failure before the first byte of the request means; undefined: the request may have left. */
export function unsent(code: string, message: string): Failure | undefined {
  const row = ROWS.find(({ codes }) => codes.test(code));
  if (!row) return undefined;
  const text = code === 'ERR_TLS_FINGERPRINT' ? `${message}. ${row.says}` : `${row.says} (${code})`;
  return { text, why: row.untrusted === true ? 'untrusted' : 'unreachable' };
}

const CLOSED = 'the connection was closed before the answer was whole';
const NO_HTTP = 'what answers there does not speak HTTP as Proxmox does';

/** Why an answer did not come, or not whole, once the request may have left. The first row that fits counts. */
const BROKEN: readonly [codes: RegExp, says: string, why: Failure['why']][] = [
  [/^UND_ERR_HEADERS_TIMEOUT$/, 'no answer came in time', 'unreachable'],
  [/^UND_ERR_BODY_TIMEOUT$/, 'the answer stopped half-way', 'unreachable'],
  [/^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE|HPE_INVALID_EOF_STATE)$/, CLOSED, 'unreachable'],
  [/^UND_ERR_RE[QS]_CONTENT_LENGTH_MISMATCH$/, CLOSED, 'unreachable'],
  [/^(?:UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, 'the head of the answer has no end', 'unreadable'],
  [/^ERR_BODY_SIZE$/, 'the answer is larger than any of Proxmox', 'unreadable'],
  [/^ERR_BODY_TEXT$/, 'the answer is no text in UTF-8', 'unreadable'],
  [/^(?:ERR_BODY_CODED|Z_.*)$/, 'the answer is compressed in a way that cannot be undone', 'unreadable'],
  [/^HPE/, NO_HTTP, 'unreadable'],
];

/** What a failure after that means. */
export function brokenOff(code: string, message: string): Failure {
  const [, says, why] = BROKEN.find(([codes]) => codes.test(code)) ?? [];
  if (says === undefined || why === undefined) return { text: message, why: 'unreachable' };
  return { text: code.startsWith('ERR_BODY') ? `${says} (${message})` : `${says} (${code})`, why };
}
