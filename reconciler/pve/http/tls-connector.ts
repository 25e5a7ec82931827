import { createSecureContext, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Tls } from './pve-config';
import { CodedError } from './transport-texts';

/** Opens TLS connections as the configuration says: authority, pin, client certificate. */
export function tlsConnector(
  tls: Tls,
  timeoutMs: number,
  build: typeof buildConnector,
): buildConnector.connector {
  const pinned = tls.fingerprint === undefined ? undefined : plain(tls.fingerprint);
  const isChainJudged = !tls.insecure && pinned === undefined;
  // with no list Node would read all authorities of the public web: a third of a start. Those given may stand behind our own certificate
  const ca = isChainJudged ? tls.ca : (tls.ca ?? []);
  const open = build({
    timeout: timeoutMs,
    // a resumed session shows no certificate, and the pin could not be checked
    maxCachedSessions: 0,
    rejectUnauthorized: isChainJudged,
    // made once: Node would read the authorities again for each connection
    secureContext: createSecureContext({
      ...(ca === undefined ? {} : { ca }),
      ...(tls.clientCertificate === undefined ? {} : { cert: tls.clientCertificate }),
      ...(tls.clientKey === undefined ? {} : { key: tls.clientKey }),
    }),
  });
  return (options, callback) =>
    open(options, (error, socket) => {
      if (error) return callback(toldTo(error), null);
      if (pinned === undefined) return callback(null, socket);
      if (!isTls(socket)) {
        socket.destroy();
        return callback(new Error('not a TLS connection'), null);
      }
      const shown = socket.getPeerCertificate().fingerprint256;
      if (plain(shown) === pinned) return callback(null, socket);
      socket.destroy();
      const text = `the server's certificate has the SHA-256 fingerprint ${shown}, not the pinned one`;
      callback(new CodedError('ERR_TLS_FINGERPRINT', text), null);
    });
}

// undici: under Node's own code the requests to an address without a name are neither answered nor failed
function toldTo(error: Error): Error {
  const isName = 'code' in error && error.code === 'ERR_TLS_CERT_ALTNAME_INVALID';
  return isName ? new CodedError('ERR_TLS_HOST_NAME', error.message, { cause: error }) : error;
}

const plain = (fingerprint: string): string => fingerprint.replaceAll(':', '').toUpperCase();

function isTls(socket: unknown): socket is TLSSocket {
  return typeof socket === 'object' && socket !== null && 'getPeerCertificate' in socket;
}
