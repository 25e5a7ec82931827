import { credentialsOf } from '../../../simulator/replay/credentials';
import type { Credentials } from '../../../simulator/replay/logins';
import recorded from '../../contract/recordings/world.json';

/** The logins that world.json names, with another password of root. */
export const recordedCredentials = (user: string, password: string): Credentials =>
  credentialsOf(recorded, { user, password });
