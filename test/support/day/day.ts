import type { Simulator } from '../../../simulator';
import type { Guest } from '../../../simulator/world';
import type { Json } from '../cluster/lab';
import type { Administrator } from '../cluster/administrator';
import { marked } from '../cluster/end-state';
import type { Roll } from '../random/dice';
import type { Line, Scrape } from './watched-daemon';

/** What an incident may look at and disturb. */
export interface Day {
  simulator: Simulator;
  administrator: Administrator;
  roll: Roll;
  /** The machines that no other incident concerns now. */
  free: string[];
  /** What is wanted of the machines; changed by `want`. */
  wanted: Json[];
  want: (machines: Json[]) => void;
  writeSecret: (secret: string) => void;
}

/** Something that has begun to go wrong. */
export interface Begun {
  text: string;
  /** The machine that it concerns: no other incident takes it until this one was seen and is over. */
  machine?: string;
  /** How long it lasts; absent: it is over at once, and the daemon's to mend. */
  minutes?: number;
  end?: () => unknown;
  /** Whether a line of the log shows it. */
  log: (line: Line) => boolean;
  /** Whether the numbers show it, beside those of its beginning. */
  metrics: (now: Scrape, then: Scrape) => boolean;
}

/** Begins it; undefined: it cannot happen now. */
export type Incident = (day: Day) => Promise<Begun | undefined> | Begun | undefined;

export const guestOf = ({ simulator }: Day, machine: string) => marked(simulator.world, machine)[0];

/**
 * Whether somebody may work on it. Without a quorum Proxmox deletes the disks of a guest and then cannot delete the
 * guest: nothing but a person brings those back.
 */
export function isAtPeace({ simulator: { world } }: Day, guest: Guest | undefined): guest is Guest {
  return !!guest?.running && guest.config['lock'] === undefined && world.cluster?.quorate === true;
}

export function oneOf<T>(roll: Roll, all: readonly T[]): T | undefined {
  return all[roll(all.length)];
}
