import type { Environment } from '../config/cluster-variables';
import type { ColourOf } from '../report/colours';
import type { Reporter } from '../report/reporter';
import type { Connections } from '../run/connections';

/** A lease that this process holds. */
export interface HeldLease {
  title: string;
  /** Called directly before each write. Throws where this process may write no more. */
  beforeWrite: () => void;
}

/** What a command may touch of the world, besides Proxmox. */
export interface Surroundings {
  /** The run writes: a machine of which only Terraform knows a part may not be made without that part. */
  leavesOutUnknown?: boolean;
  /** Plans say of each node why it is taken for a new machine or not. */
  explains?: boolean;
  /** Whether the verb writes nothing to Proxmox. */
  onlyReads?: boolean;
  environment: Environment;
  /** All of stdin. */
  readInput: () => Promise<string>;
  /** What was read already, by place. */
  texts?: ReadonlyMap<string, string>;
  /** Asks a person and gives the answer. Absent: nobody sits at a terminal. */
  ask?: (question: string) => Promise<string>;
  /** Writes to stdout: what programs read. A terminal shows each line in the colour that it has. */
  out: (text: string, colourOf?: ColourOf) => void;
  /** The same, where a program reads it, to the byte: what a terminal shows is escaped. Absent: as `out`. */
  outExact?: (text: string) => void;
  /** Whether something that was written to stdout did not get there, as its disk is full. */
  isLost?: () => boolean;
  /** Shows a text in the place of all that the terminal shows. Absent: stdout is none. */
  redraw?: (text: string) => void;
  reporter: Reporter;
  /** Aborted by an interrupt: nothing more is started then. */
  signal: AbortSignal;
  /** What this process holds while it works, where several hosts take turns. */
  lease?: HeldLease;
  /** Told of each request to Proxmox. */
  sent?: (request: { method: string; path: string }) => void;
  /** Those that the runs of this process share. Absent: each run has one of its own. */
  connections?: Connections;
}

/** What a command is given on its line. */
export interface Options {
  json?: boolean;
  quiet?: boolean;
  check?: boolean;
  explain?: boolean;
  explainCalls?: boolean;
  force?: boolean;
  prune?: boolean;
  spec?: string[];
  manifests?: string[];
  owner?: string;
  secrets?: string;
  kubernetes?: boolean;
  namespace?: string;
  clusterNamespace?: string;
  lease?: string;
  leaseName?: string;
  role?: string;
  source?: string;
  count?: string;
  output?: string;
  format?: string;
  failOn?: string;
  commit?: string;
  all?: boolean;
  yes?: boolean;
  withKeptVolumes?: boolean;
  pool?: string;
  tag?: string;
  node?: string;
  cluster?: string;
  form?: string;
  out?: string;
  from?: string;
  fromState?: string;
  forget?: string;
  description?: string;
  memory?: boolean;
  why?: string;
  after?: string;
  version?: string;
  history?: boolean;
  watch?: boolean;
  releases?: string;
}

/** Runs a verb and gives the exit code; may throw instead. */
export type Command = (around: Surroundings, options: Options, words: string[]) => Promise<number>;
