import type { Size } from '../values/size';

/** One rule about the machines that a new machine shares a node with. */
export interface AffinityProps {
  /** A label, or "tag" for the tags of every guest. */
  readonly key: string;
  /** How it is compared. */
  readonly operator: 'In' | 'NotIn' | 'Exists';
  /**
   * What it is compared with.
   * @default - none; only Exists needs none
   */
  readonly values?: readonly string[];
  /**
   * Hard is never violated; soft chooses among the nodes that fit.
   * @default 'hard'
   */
  readonly mode?: 'hard' | 'soft';
}

/** One rule about the machines that a new machine is not put beside. */
export interface AntiAffinityProps {
  /** A label, or "tag" for the tags of every guest. */
  readonly key: string;
  /** How it is compared. */
  readonly operator: 'In' | 'NotIn' | 'Exists';
  /**
   * What it is compared with.
   * @default - none; only Exists needs none
   */
  readonly values?: readonly string[];
  /**
   * Hard is never violated; soft is avoided.
   * @default 'hard'
   */
  readonly mode?: 'hard' | 'soft';
}

/** Where a new machine may go. A machine that exists stays where it is. */
export interface PlacementProps {
  /**
   * Only these nodes.
   * @default - all that the cluster allows
   */
  readonly nodes?: readonly string[];
  /**
   * Only nodes that carry all these labels.
   * @default - any labels
   */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /**
   * On one node with the machines that match.
   * @default - beside any machine
   */
  readonly affinity?: readonly AffinityProps[];
  /**
   * Not beside machines that match.
   * @default - beside any machine
   */
  readonly antiAffinity?: readonly AntiAffinityProps[];
  /**
   * Emptiest node first, or fullest, by the memory that no guest was promised. Before it count `node`, and that a
   * clone need not move.
   * @default 'spread'
   */
  readonly strategy?: 'spread' | 'pack';
  /**
   * At most so many guests on its node, those that come later counted.
   * @default - no limit
   */
  readonly maxVMsPerNode?: number;
  /**
   * Memory that new machines leave free on its node.
   * @default - none
   */
  readonly minFreeMemory?: Size | string | number;
}
