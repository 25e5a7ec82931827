import type { Sim } from '../../cluster/sim';
import type { Guest } from '../../world';
import { agentAnswers } from './booted';
import { agentEnabled, freezesForCopies } from './enabled';

// assumed from what is known of the agent's own source: it allows these while file systems are frozen
const WHILE_FROZEN = new Set(['ping', 'info', 'fsfreeze-status', 'fsfreeze-thaw']);

/** Why the agent does not run a command while the guest's file systems are frozen; undefined: it does. */
export function disabledWhy({ running }: Guest, command: string): string | undefined {
  if (!running?.frozen || WHILE_FROZEN.has(command)) return undefined;
  return `Command guest-${command} has been disabled: the agent is in frozen state`;
}

/** Freezes the file systems of a running guest and says how many. */
export function freeze({ running }: Guest): number {
  if (running) running.frozen = true;
  return 1;
}

/** Thaws them, and says how many were frozen. */
export function thaw({ running }: Guest): number {
  if (!running?.frozen) return 0;
  delete running.frozen;
  return 1;
}

/** Why Proxmox does not freeze the file systems for a copy; undefined: it does. PVE: Agent.pm guest_fs_freeze_applicable. */
export function noFreezeWhy(sim: Sim, guest: Guest): string | undefined {
  if (!agentEnabled(guest.config) || !freezesForCopies(guest.config)) return 'disabled in VM options';
  if (!agentAnswers(sim, guest)) return 'agent configured but not running?';
  return guest.running?.frozen ? 'already frozen' : undefined;
}
