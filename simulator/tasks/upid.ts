import type { Task } from './task';

const UPID =
  /^UPID:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?:[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8,9}:[0-9A-Fa-f]{8}:[^:\s]+:[^:\s]*:([^:\s!]+)(?:!([^:\s]+))?:$/;

/** Who started the task with this id; undefined when the text is no task id. */
export function parseUpid(upid: string): Pick<Task, 'user' | 'tokenid'> | undefined {
  const match = UPID.exec(upid);
  if (match?.[1] === undefined) return undefined;
  return { user: match[1], ...(match[2] === undefined ? {} : { tokenid: match[2] }) };
}

/** Whether a task is the caller's own: a user's tasks are also those of his tokens, a token's only its own. */
export function isOwnTask({ user, tokenid }: Pick<Task, 'user' | 'tokenid'>, caller: string): boolean {
  return caller === user || (tokenid !== undefined && caller === `${user}!${tokenid}`);
}
