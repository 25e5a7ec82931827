import type * as crypto from 'node:crypto';
import type { ClusterSpec } from '../../spec';
import { readText, type Variables } from './cluster-variables';
import type { PveConfig } from '../pve';

const SWITCH: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, on: true, 1: true },
  ...{ false: false, no: false, off: false, 0: false },
};

/** Whom to trust. What the cluster's spec says comes first, then the environment. */
export function tlsOf(cluster: ClusterSpec, variables: Variables): PveConfig['tls'] {
  const { prefix, nameOf, isGiven, values, faults } = variables;
  const ca =
    pem(cluster.caCertificate, 'caCertificate', faults) ?? pem(values.CA_BUNDLE, nameOf('CA_BUNDLE'), faults);
  const clientCertificate =
    pem(cluster.clientCertificate, 'clientCertificate', faults) ??
    pem(values.CLIENT_CERT, nameOf('CLIENT_CERT'), faults);
  const clientKey = pem(values.CLIENT_KEY, nameOf('CLIENT_KEY'), faults, isKey);
  if (clientCertificate !== undefined && !isGiven('CLIENT_KEY'))
    faults.push(
      `a client certificate is given without its key: set ${prefix}CLIENT_KEY or ${prefix}CLIENT_KEY_FILE.`,
    );
  const isCertified = cluster.clientCertificate !== undefined || isGiven('CLIENT_CERT');
  if (values.CLIENT_KEY !== undefined && !isCertified)
    faults.push(`${nameOf('CLIENT_KEY')} is given without its certificate: set ${prefix}CLIENT_CERT.`);
  const unfit = clientCertificate && clientKey && pairFault(clientCertificate, clientKey);
  if (unfit)
    faults.push(`${unfit}: give both of one pair, in ${nameOf('CLIENT_CERT')} and ${nameOf('CLIENT_KEY')}.`);
  return {
    insecure: cluster.insecureSkipTlsVerify ?? isInsecure(variables),
    ...(ca === undefined ? {} : { ca }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey }),
  };
}

function isInsecure({ nameOf, values, faults }: Variables): boolean {
  const said = values.INSECURE_SKIP_VERIFY;
  if (said === undefined) return false;
  const known = SWITCH[said.trim().toLowerCase()];
  if (known === undefined) faults.push(`${nameOf('INSECURE_SKIP_VERIFY')} is neither true nor false.`);
  return known ?? false;
}

/** PEM text as given, or from the file whose path is given. */
function pem(
  given: string | undefined,
  name: string,
  faults: string[],
  isGood: (text: string) => boolean = isCertificate,
): string | undefined {
  if (given === undefined) return undefined;
  const isText = given.includes('-----BEGIN') || name.endsWith('_FILE');
  const text = isText ? given : readText(given, name, faults);
  if (text === undefined || isGood(text)) return text;
  const wanted = isGood === isKey ? 'a private key without a passphrase' : 'certificates';
  // what was read is a path, and no secret
  faults.push(
    `${name}${isText ? '' : `: the file ${given}`} holds no PEM text of ${wanted}: name the file that begins with -----BEGIN.`,
  );
  return undefined;
}

// By form only: what is in it, the handshake judges, and of a client's pair `pairFault`.
function isCertificate(text: string): boolean {
  return (
    /-----BEGIN CERTIFICATE-----[^]+-----END CERTIFICATE-----/.test(text) && !text.includes('PRIVATE KEY')
  );
}

function isKey(text: string): boolean {
  return /-----BEGIN (?:RSA |EC )?PRIVATE KEY-----[^]+-----END /.test(text) && !text.includes('ENCRYPTED');
}

/**
 * What is wrong with a client certificate and its key taken together; undefined when they fit. Sends nothing, and
 * says nothing of what is in them.
 */
function pairFault(certificate: string, key: string): string | undefined {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- few have such a pair; loading this at the top would slow down every start
  const { X509Certificate, createPrivateKey }: typeof crypto = require('node:crypto');
  const shown = attempt(() => new X509Certificate(certificate));
  if (!shown) return 'the client certificate is damaged';
  const secret = attempt(() => createPrivateKey(key));
  if (!secret) return 'the client key is damaged';
  return shown.checkPrivateKey(secret)
    ? undefined
    : 'the client key does not belong to the client certificate';
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
