import type { Call } from '../cluster/call';

/** A guest as an address: the node that is asked, and the id. */
export interface Place {
  node: string;
  vmid: number;
}

/** The guest that a call's path names. */
export function placeOf({ node, params }: Call): Place {
  return { node, vmid: Number(params['vmid']) };
}
