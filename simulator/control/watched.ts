import type { Sim } from '../cluster/sim';
import type { Faults } from '../faults/faults';
import type { Ledger } from './ledger';

/** The way to the cluster. */
export interface Network {
  /** How long each request takes at least, in real milliseconds. */
  latencyMs: number;
}

/** What whoever runs the simulator knows of it. */
export interface About {
  /** The file with the certificate of the authority. */
  caFile?: string;
}

/** A simulated cluster, and what was and will be done to it. */
export interface Watched {
  sim: Sim;
  ledger: Ledger;
  faults: Faults;
  network: Network;
  about: About;
}
