import type { Sim } from '../../cluster/sim';
import type { Guest } from '../../world';
import { agentEnabled } from './enabled';

/** Whether the guest's own system is up and runs, for so long: it booted long enough ago and nobody paused it. */
export function hasBooted(sim: Sim, { running, system }: Guest, forMs = 0): boolean {
  if (system.kind === 'none' || !running || running.qmp !== 'running') return false;
  return sim.clock.now() >= (running.booted ?? running.since) + system.bootMs + forMs;
}

/** Whether the guest agent answers: it is configured since the start, installed, and the system is up. */
export function agentAnswers(sim: Sim, guest: Guest): boolean {
  return agentEnabled(guest.config) && guest.system.agent && hasBooted(sim, guest, guest.system.agentMs);
}
