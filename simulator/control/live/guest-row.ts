import type { Sim } from '../../cluster/sim';
import { agentEnabled } from '../../guest/agent/enabled';
import { agentAnswers } from '../../guest/agent/booted';
import { cardsAtBoot } from '../../guest/agent/cards-at-boot';
import type { Guest, GuestCard, Running } from '../../world';

/** What the page shows of a guest. */
interface GuestRow {
  vmid: number;
  type: string;
  node: string;
  name: string;
  state: string;
  lock?: string;
  tags?: string;
  agent?: string;
  addresses?: string[];
}

/** What a guest's system made of its cards is found once for each start: it may mean to read an image. */
const cards = new WeakMap<Running, GuestCard[]>();

export function guestRow(sim: Sim, guest: Guest): GuestRow {
  const { vmid, type, node, config, running } = guest;
  const { lock, tags } = config;
  const agent = agentOf(sim, guest);
  const row: GuestRow = {
    vmid,
    type,
    node,
    name: config['name'] ?? config['hostname'] ?? '',
    state: stateOf(guest),
  };
  if (lock !== undefined) row.lock = lock;
  if (tags !== undefined && tags !== '') row.tags = tags;
  if (agent !== undefined) row.agent = agent;
  if (agent === 'answers' && running) row.addresses = addressesOf(sim, guest, running);
  return row;
}

function stateOf({ config, running }: Guest): string {
  if (config['template'] === '1') return 'template';
  if (!running) return 'stopped';
  return running.qmp === 'running' ? 'running' : running.qmp;
}

function agentOf(sim: Sim, guest: Guest): string | undefined {
  if (guest.type !== 'qemu' || !guest.running || !agentEnabled(guest.config)) return undefined;
  return agentAnswers(sim, guest) ? 'answers' : 'silent';
}

function addressesOf(sim: Sim, guest: Guest, running: Running): string[] {
  let found = running.cards ?? cards.get(running);
  if (!found) {
    found = cardsAtBoot(sim, guest);
    cards.set(running, found);
  }
  return found.flatMap(({ addresses }) => addresses);
}

/** When the agent of a guest that boots will begin to answer, in simulated time; undefined where nothing will change by itself. */
export function agentAt(sim: Sim, { config, running, system }: Guest): number | undefined {
  if (!running || running.qmp !== 'running' || !system.agent || !agentEnabled(config)) return undefined;
  const at = (running.booted ?? running.since) + system.bootMs + (system.agentMs ?? 0);
  return at > sim.clock.now() ? at : undefined;
}
