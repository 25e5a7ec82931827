import * as z from 'zod';
import type { Pve } from '../http/client';
import { flag, listingOf, optionsOf, recordOf, text } from '../answers/wire-values';

/** What the caller may do, everywhere: privileges by path; 1: also below that path. */
export function readPermissions(pve: Pve): Promise<Record<string, Record<string, number>>> {
  const answer = recordOf(optionsOf(z.record(z.string(), flag.transform(Number))));
  return pve.call({ method: 'GET', path: '/access/permissions', answer });
}

const Right = z.object({ path: text, ugid: text, roleid: text });

/** The rules of access that are told to the caller: all to Sys.Audit on /access, else those of the paths whose rules he may change. */
export function listAcl(pve: Pve): Promise<z.infer<typeof Right>[]> {
  return pve.call({ method: 'GET', path: '/access/acl', answer: listingOf(Right) });
}
