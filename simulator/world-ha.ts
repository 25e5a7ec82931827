export interface Ha {
  resources: Record<string, HaResource>;
  rules: Record<string, HaRule>;
  /** What the manager knows of each resource; absent until its first round. */
  services: Record<string, HaService>;
  /** Requests that wait for the manager's next round. */
  commands: HaCommand[];
  /** The groups of release 8. */
  groups?: Record<string, Record<string, string>>;
  /** What the manager wrote of itself; absent where it never acted. */
  manager?: HaManager;
  /** HA lets go of its resources; absent: it does not. `done`: the manager has seen it. */
  disarmed?: { mode: 'freeze' | 'ignore'; done: boolean };
  /** When it begins to act, since its first resource came, in milliseconds; absent: it came with the world. */
  wakesAt?: number;
}

export interface HaManager {
  /** Where it runs. */
  node: string;
  /** When it acted last, and when it last had something to care for. */
  at: number;
  busyAt: number;
  nodes: Record<string, HaNode>;
}

interface HaNode {
  /** online, unknown, fence. */
  state: string;
  /** When it was last seen. */
  seenAt: number;
}

export interface HaResource {
  sid: string;
  /** The requested state; absent: started. */
  state?: string;
  settings: Record<string, string>;
}

export interface HaService {
  /** request_start, started, request_stop, stopped, migrate, relocate, fence, recovery, error. */
  state: string;
  node: string;
  target?: string;
  /** Seconds for a requested stop; 0: at once. */
  timeout?: number;
  /** Whether the guest's node has done what the state asks. */
  done: boolean;
  /** Starts that failed on this node. */
  failures: number;
  /** The worker that acts for it now. */
  upid?: string;
  /** Nodes where it did not start. */
  failedNodes?: string[];
  /** How it goes to its target. */
  motion?: 'migrate' | 'relocate';
}

export interface HaCommand {
  sid: string;
  kind: 'stop' | 'migrate' | 'relocate';
  /** When it was asked, in milliseconds. */
  at: number;
  target?: string;
  timeout?: number;
}

export interface HaRule {
  type: string;
  settings: Record<string, string>;
}
