import * as z from 'zod';
import type { Pve } from '../http/client';
import { flag, recordOf } from '../answers/wire-values';

/** Privileges by path, as Proxmox gives them; 1: also below that path. */
export type Permissions = Record<string, Record<string, number>>;

/** What the caller may do, everywhere. */
export function readPermissions(pve: Pve): Promise<Permissions> {
  const answer = recordOf(recordOf(flag.transform(Number)));
  return pve.call({ method: 'GET', path: '/access/permissions', answer });
}
