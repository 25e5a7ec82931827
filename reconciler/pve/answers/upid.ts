import * as z from 'zod';

// PVE: pve-common UPID.pm has eight or nine digits each and a colon at the end; other servers count theirs otherwise
const UPID = /^UPID:([^:/\s]+):[0-9A-Fa-f]+:[0-9A-Fa-f]+:[0-9A-Fa-f]+:([^:\s]+):[^:\s]*:[^:\s]+:?$/;

/** The node and the type of a task, from its id. Fails on anything else. */
export function parseUpid(text: string): { node: string; type: string } {
  const match = UPID.exec(text);
  if (!match) throw new Error(`not a task id of Proxmox: ${text}`);
  const [, node = '', type = ''] = match;
  return { node, type };
}

/** The id of a task, as the answer to a request that Proxmox does as one. */
export const TaskId = z.string('expected the id of a task').regex(UPID, 'expected the id of a task');
