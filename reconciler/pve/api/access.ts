import * as z from 'zod';
import type { Pve } from '../http/client';
import { flag, optionsOf, recordOf } from '../answers/wire-values';

/** What the caller may do, everywhere: privileges by path; 1: also below that path. */
export function readPermissions(pve: Pve): Promise<Record<string, Record<string, number>>> {
  const answer = recordOf(optionsOf(z.record(z.string(), flag.transform(Number))));
  return pve.call({ method: 'GET', path: '/access/permissions', answer });
}
