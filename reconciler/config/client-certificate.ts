import type * as crypto from 'node:crypto';

/**
 * What is wrong with a client certificate and its key taken together; undefined when they fit. Sends nothing, and
 * says nothing of what is in them.
 */
export function pairFault(certificate: string, key: string): string | undefined {
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
