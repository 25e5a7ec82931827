import * as z from 'zod';

// PVE: pve-common UPID.pm has three numbers behind the node, then the type; other servers have fewer or longer ones
const UPID = /^UPID:([^:/\s]+):(\S+)$/;
const NUMBER = /^[0-9A-Fa-f]*$/;

/** The node and the type of a task, from its id. Fails on anything else. */
export function parseUpid(text: string): { node: string; type: string } {
  const read = readUpid(text);
  if (!read) throw new Error(`not a task id of Proxmox: ${text}`);
  return read;
}

/** The id of a task, as the answer to a request that Proxmox does as one. */
export const TaskId = z
  .string('expected the id of a task')
  .refine(text => readUpid(text) !== undefined, 'expected the id of a task');

function readUpid(text: string): { node: string; type: string } | undefined {
  const [, node = '', rest = ''] = UPID.exec(text) ?? [];
  const type = rest.split(':').find(part => !NUMBER.test(part));
  return type === undefined ? undefined : { node, type };
}
