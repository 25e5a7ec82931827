import type { IResolvable } from 'cdktf';

/** How long each thing may take, such as "5m". */
export interface TimeoutsProps {
  /**
   * How long creating may take.
   * @default '15m'
   */
  readonly create?: string;
  /**
   * How long a change may take.
   * @default '15m'
   */
  readonly apply?: string;
  /**
   * How long a destroy may take, as the last apply said: a destroy knows no spec.
   * @default '10m'
   */
  readonly destroy?: string;
  /**
   * Wait for the agent, or for an address.
   * @default '3m'
   */
  readonly agent?: string;
  /**
   * Wait until cloud-init is done, once the agent answers.
   * @default '10m'
   */
  readonly cloudInit?: string;
}

/** How many snapshots from before changes stay. */
export interface SnapshotBeforeChangeProps {
  /**
   * So many of them stay.
   * @default 1
   */
  readonly keep?: number;
}

/** How a machine is run, and how carefully it is changed. */
export interface PowerProps {
  /**
   * Whether the machine is changed: observe writes nothing and warns of what differs; paused is not even read.
   * A machine that leaves the program is destroyed in every mode, unless it is protected.
   * @default 'reconcile'
   */
  readonly mode?: 'reconcile' | 'observe' | 'paused';
  /**
   * The power state that is kept; unmanaged: none is kept, and a machine that is destroyed and created again is started
   * if it ran before.
   * @default 'running'
   */
  readonly power?: 'running' | 'stopped' | 'unmanaged';
  /**
   * How long a shutdown may take.
   * @default '60s'
   */
  readonly shutdownTimeout?: string;
  /**
   * Stop hard when a shutdown takes too long.
   * @default true
   */
  readonly forceStop?: boolean | IResolvable;
  /**
   * What happens when a change needs a restart. Never: the change is reported as pending.
   * @default 'never'
   */
  readonly restart?: 'never' | 'whenNeeded';
  /**
   * What becomes of volumes that were kept and hang on the guest unused, when it is destroyed or made anew: 'refuse'
   * holds that up, 'destroy' lets them go with it, once that is applied.
   * @default 'refuse'
   */
  readonly keptVolumes?: 'refuse' | 'destroy';
  /**
   * How long each thing may take.
   * @default - 15 minutes to create or change, 10 to destroy, 3 for the agent
   */
  readonly timeouts?: TimeoutsProps;
  /**
   * Take a snapshot before a change of devices or disks, or a restart. True: one of them stays.
   * @default false
   */
  readonly snapshotBeforeChange?: boolean | SnapshotBeforeChangeProps;
}
