import type { Simulator } from '../../../simulator';
import { askToEnd, authorizationOf } from './ask';
import { ADMINISTRATOR } from './start-cluster';

/** Asks as somebody else does, and waits for the end of the task that it starts. True: it was done. */
export type Administrator = (method: string, path: string, form?: Record<string, string>) => Promise<boolean>;

const headers = { authorization: authorizationOf(ADMINISTRATOR) };

/** Somebody else at work on the cluster of a lab. */
export function administratorOf({ simulator }: { simulator: Simulator }): Administrator {
  return async (method, path, form) => {
    const answer = await askToEnd(simulator, method, path, { headers, ...(form ? { form } : {}) });
    return answer.status === 200 && (answer.exitstatus ?? 'OK') === 'OK';
  };
}
