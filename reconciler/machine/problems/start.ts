import type { GuestPlace } from '../../action';
import type { Configuration } from '../../guest/configuration';
import type { ObservedGuest } from '../../observed';
import type { Scene } from '../scene';

/** A guest as it is when it starts, and where. */
export interface Start {
  vmid: number;
  after: Configuration;
  node: string;
  /** Whether what we lay on storages for it is uploaded before. Absent: it is. */
  uploads?: boolean;
  /** Who would not start, as a sentence begins. */
  who?: string;
  /** What it is copied from, with its configuration. Absent: that is the guest's own. */
  from?: GuestPlace;
  /** The guest that is stopped for it, with the volumes that it has. Absent: it is made anew, with others. */
  stopped?: ObservedGuest;
}

/** What tells whose word a file or a mapping is. */
export type Wanting = Pick<Scene, 'spec' | 'slots' | 'context'>;
