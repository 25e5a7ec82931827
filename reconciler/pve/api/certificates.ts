import * as z from 'zod';
import type { Pve } from '../http/client';
import { AUTHORITY } from '../http/cluster-identity';
import { listingOf } from '../answers/wire-values';
import { nodePath } from './nodes';

const Certificate = z.object({ filename: z.string(), fingerprint: z.string().optional() });

/** The SHA-256 fingerprint of the cluster's own authority, as any node tells it; undefined: it lists none. Needs no privilege. */
export async function readAuthority(pve: Pve, node: string): Promise<string | undefined> {
  const path = `${nodePath(node)}/certificates/info`;
  const isNamed = (row: object): boolean => 'filename' in row;
  const rows = await pve.call({ method: 'GET', path, answer: listingOf(Certificate, isNamed) });
  return rows.find(({ filename }) => filename === AUTHORITY)?.fingerprint;
}
