import * as z from 'zod';
import type { Pve } from '../http/client';
import { listingOf } from '../answers/wire-values';

/** A name for devices of nodes: each entry of `map` is `node=pve1,path=…`. */
const Mapping = z.object({ id: z.string(), map: z.array(z.string()) });
export type Mapping = z.infer<typeof Mapping>;

/** The mappings of a kind of device that the caller may see (Mapping.Audit, Mapping.Use or Mapping.Modify). */
export function listMappings(pve: Pve, kind: 'pci' | 'usb'): Promise<Mapping[]> {
  return pve.call({ method: 'GET', path: `/cluster/mapping/${kind}`, answer: listingOf(Mapping) });
}
