import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import type { Duplex } from 'node:stream';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { codeOf } from '../../cli/code-of';
import { UsageError } from '../../cli/usage-error';

/** Whom to take for the server; nothing of it: whom the system trusts. With an authority and a fingerprint both must be right. */
export interface Trust {
  /** PEM. */
  ca?: string;
  /** SHA-256 of the server's certificate, upper case with colons. */
  fingerprint?: string;
  insecure?: boolean;
}

/** Reads what `--ca`, `--fingerprint` and `--insecure` say, or the variables in their place. */
export function readTrust(
  given: { ca?: string | undefined; fingerprint?: string | undefined; insecure?: boolean | undefined },
  environment: NodeJS.ProcessEnv,
): Trust {
  const said = [given.ca, given.fingerprint, given.insecure].filter(Boolean).length;
  if (said > 1) throw new UsageError('give one of --ca, --fingerprint and --insecure');
  if (given.insecure) return { insecure: true };
  // what the command line says stands alone
  const ca = said === 0 ? environment['PVE_CA_BUNDLE'] : given.ca;
  const print = said === 0 ? environment['PVE_FINGERPRINT'] : given.fingerprint;
  return { ...(ca ? { ca: pemOf(ca) } : {}), ...(print ? { fingerprint: fingerprintOf(print) } : {}) };
}

function pemOf(given: string): string {
  if (given.includes('-----BEGIN CERTIFICATE-----')) return given;
  try {
    const text = readFileSync(given, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch (error) {
    throw new UsageError(`the CA file ${given} cannot be read: ${codeOf(error)}`);
  }
  throw new UsageError(`the CA file ${given} holds no certificate in PEM`);
}

function fingerprintOf(given: string): string {
  const digits = given.replaceAll(':', '').toUpperCase();
  if (!/^[0-9A-F]{64}$/.test(digits)) {
    throw new UsageError('a fingerprint is the SHA-256 of the certificate: 64 hexadecimal digits');
  }
  return (digits.match(/../g) ?? []).join(':');
}

const CONNECT_MS = 15_000;

/** Connections to one server, each checked before a byte of a request goes out. */
export class TrustingAgent extends Agent {
  constructor(
    private readonly server: URL,
    private readonly trust: Trust,
    connections: number,
  ) {
    super({ keepAlive: true, maxSockets: connections });
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const { hostname, port } = this.server;
    const host = hostname.replace(/^\[|\]$/g, '');
    const { ca, fingerprint, insecure } = this.trust;
    const socket = connect({
      host,
      port: Number(port || 443),
      ...(isIP(host) ? {} : { servername: host }),
      ...(ca === undefined ? {} : { ca }),
      rejectUnauthorized: insecure !== true && (fingerprint === undefined || ca !== undefined),
    });
    let isTold = false;
    const end = (error: Error | null): void => {
      if (isTold) return;
      isTold = true;
      socket.setTimeout(0);
      if (error) socket.destroy();
      callback?.(error, socket);
    };
    socket.setTimeout(CONNECT_MS, () => end(new Error('no connection within 15 s')));
    socket.once('error', error => end(error));
    socket.once('secureConnect', () => {
      const seen = socket.getPeerX509Certificate()?.fingerprint256;
      const isRight = fingerprint === undefined || seen === fingerprint;
      end(
        isRight
          ? null
          : new Error(`the certificate's fingerprint is ${seen ?? 'unknown'}, not ${fingerprint}`),
      );
    });
    return undefined;
  }
}
