/** What every node's resolver says: a name server, and no domain of its own. */
export const RESOLVER = { dns1: '192.0.2.254' };
