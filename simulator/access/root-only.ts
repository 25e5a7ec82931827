import type { Call } from '../cluster/call';
import { failParameters } from '../failure';
import { isRootUser } from './privileges';

/** Fails unless root himself asks, when one of these parameters is set. His tokens are not him. */
export function onlyRoot({ params, user }: Call, ...names: string[]): void {
  for (const name of names) {
    const value = params[name] ?? '';
    if (value !== '' && value !== '0' && !isRootUser(user)) {
      failParameters({ [name]: 'Only root may use this option.' });
    }
  }
}
