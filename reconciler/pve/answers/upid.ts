import * as z from 'zod';

/** The parts of a task id. */
export interface Upid {
  node: string;
  type: string;
  /** Often a vmid, sometimes empty or `110-scsi1>111-scsi5`. */
  id: string;
  user: string;
}

// PVE: pve-common UPID.pm; pstart may have nine digits
const UPID =
  /^UPID:([a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?):[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8,9}:[0-9A-Fa-f]{8}:([^:\s]+):([^:\s]*):([^:\s]+):$/;

/** Reads a task id. Fails on anything else. */
export function parseUpid(text: string): Upid {
  const match = UPID.exec(text);
  if (!match) throw new Error(`not a task id of Proxmox: ${text}`);
  const [, node = '', type = '', id = '', user = ''] = match;
  return { node, type, id, user };
}

/** The id of a task, as the answer to a request that Proxmox does as one. */
export const TaskId = z.string('expected the id of a task').regex(UPID, 'expected the id of a task');
