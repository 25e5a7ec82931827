import { createHash } from 'node:crypto';

/** The fingerprint of a node's certificate: always the same for a name. It belongs to no certificate. */
export function fingerprintOf(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').toUpperCase();
  return (hash.match(/../g) ?? []).join(':');
}
