import { createHash } from 'node:crypto';
import type { World } from '../world';

/** The fingerprint of a node's certificate: always the same for a name. It belongs to no certificate. */
export function fingerprintOf(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').toUpperCase();
  return (hash.match(/../g) ?? []).join(':');
}

/** The fingerprint of the authority that vouches for all nodes: made with the first node, and kept by those that join. */
export function authorityOf({ authority, cluster, nodes }: World): string {
  return authority ?? fingerprintOf(`authority of ${cluster?.name ?? nodes[0]?.name ?? ''}`);
}
