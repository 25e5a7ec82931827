/** Why a request did not leave, by the code of the failure: in words, with what to do where that is special. */
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
      'its certificate is not signed by an authority that is trusted here. Set PVE_CA_BUNDLE to the /etc/pve/' +
      'pve-root-ca.pem of its cluster, or PVE_FINGERPRINT to its fingerprint',
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

/** What a failure before the first byte of the request means; undefined: the request may have left. */
export function unsent(code: string, message: string): { text: string; untrusted: boolean } | undefined {
  const row = ROWS.find(({ codes }) => codes.test(code));
  if (!row) return undefined;
  const text = code === 'ERR_TLS_FINGERPRINT' ? `${message}. ${row.says}` : `${row.says} (${code})`;
  return { text, untrusted: row.untrusted === true };
}
