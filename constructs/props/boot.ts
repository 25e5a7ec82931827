import type { IResolvable } from 'cdktf';

/** When a machine starts and stops among the others of its node. */
export interface StartupProps {
  /**
   * Place in the order of starting.
   * @default - not managed
   */
  readonly order?: number;
  /**
   * Wait after starting, such as "30s".
   * @default - not managed
   */
  readonly up?: string;
  /**
   * Wait for the shutdown.
   * @default - not managed
   */
  readonly down?: string;
}

/** The QEMU guest agent. */
export interface AgentProps {
  /**
   * Talk to the agent.
   * @default - not managed
   */
  readonly enabled?: boolean | IResolvable;
  /**
   * Kind of channel.
   * @default - not managed
   */
  readonly type?: 'virtio' | 'isa';
  /**
   * Trim after a clone or a move.
   * @default - not managed
   */
  readonly fstrimClonedDisks?: boolean | IResolvable;
  /**
   * Freeze file systems for backups.
   * @default - not managed
   */
  readonly freezeFs?: boolean | IResolvable;
}

/** How a machine starts. */
export interface BootProps {
  /**
   * "disk", "network", "cdrom", names of disks and networks, or slots such as "scsi0", the first one first.
   * @default - not managed
   */
  readonly bootOrder?: readonly string[];
  /**
   * Start when the node starts.
   * @default - not managed
   */
  readonly onBoot?: boolean | IResolvable;
  /**
   * Order and pauses of starting.
   * @default - not managed
   */
  readonly startup?: StartupProps;
  /**
   * The QEMU guest agent: on, off, or on with these settings.
   * @default - not managed
   */
  readonly agent?: boolean | IResolvable | AgentProps;
}
