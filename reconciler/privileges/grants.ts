import type { ObservedCluster } from '../observed';

/** What is to be given on one path. */
export interface Missing {
  path: string;
  privileges: readonly string[];
}

/** Who gets it. `role`: all of it in one role of this name. */
export type Caller = Pick<ObservedCluster, 'caller' | 'permissions'> & { role?: string | undefined };

/** A role that is given on a path, with all that is in it. */
export interface RoleGrant {
  path: string;
  role: string;
  all: string[];
}
