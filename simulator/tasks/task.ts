/** What Proxmox keeps of a task. */
export interface Task {
  upid: string;
  node: string;
  pid: number;
  pstart: number;
  /** Seconds since the epoch. */
  starttime: number;
  endtime?: number;
  type: string;
  id: string;
  /** user@realm, without the token. */
  user: string;
  tokenid?: string;
  status: 'running' | 'stopped';
  exitstatus?: string;
  log: string[];
}

/** What a running task may do besides changing the world. */
export interface TaskContext {
  readonly upid: string;
  log(line: string): void;
  /** A warning: the task ends with `WARNINGS: n` instead of `OK`. */
  warn(text: string): void;
  /** Takes simulated time; rejects when somebody stops the task. */
  work(ms: number): Promise<void>;
  /** How long a task of this type usually takes. */
  readonly usualMs: number;
  /** Takes the time that a task of this type usually takes, or a share of it. */
  workUsual(share?: number): Promise<void>;
}

export interface TaskRequest {
  type: string;
  id: string;
  node: string;
  /** The caller, with the token if there is one: user@realm!token. */
  user: string;
}
