import { statusRow } from '../guest/power/status';
import type { Sim } from '../cluster/sim';
import { bytesTaken } from '../storage/on-node';
import type { Guest, Storage, World } from '../world';

/** What a node's statistics daemon last told the cluster of one guest, node or storage. */
export interface Figures {
  name: unknown;
  status: unknown;
  template: number;
  uptime: number;
  cpu: number;
  maxcpu: number;
  mem: number;
  maxmem: number;
  memhost: number;
  disk: number;
  maxdisk: number;
  netin: number;
  netout: number;
}

/** Figures older than this are forgotten, as when a node is gone (assumed: five minutes). */
const FORGOTTEN_MS = 300_000;

interface Board {
  world: World;
  guests: Map<number, { at: number; figures: Figures }>;
}

const boards = new WeakMap<Sim, Board>();

function boardOf(sim: Sim): Board {
  const known = boards.get(sim);
  if (known?.world === sim.world) return known;
  const board: Board = { world: sim.world, guests: new Map() };
  boards.set(sim, board);
  return board;
}

/**
 * Name, state and numbers of a guest as the cluster's lists know them; undefined until the first round that saw it.
 * Without lag they are always fresh.
 */
export function figuresOf(sim: Sim, guest: Guest): Figures | undefined {
  if (sim.options.lagMs <= 0 && isOnline(sim, guest.node)) return measure(sim, guest);
  const entry = boardOf(sim).guests.get(guest.vmid);
  return entry && sim.clock.now() - entry.at <= FORGOTTEN_MS ? entry.figures : undefined;
}

/** One round of the statistics daemons of all nodes that are up. */
export function collectFigures(sim: Sim): void {
  const board = boardOf(sim);
  const at = sim.clock.now();
  for (const guest of Object.values(sim.world.guests)) {
    if (isOnline(sim, guest.node)) board.guests.set(guest.vmid, { at, figures: measure(sim, guest) });
  }
}

function isOnline(sim: Sim, node: string): boolean {
  return sim.world.nodes.find(({ name }) => name === node)?.online ?? false;
}

function measure(sim: Sim, guest: Guest): Figures {
  const row = statusRow(sim, guest);
  const name = guest.type === 'lxc' ? (guest.config['hostname'] ?? `CT${guest.vmid}`) : row['name'];
  return {
    name,
    status: row['status'],
    template: guest.config['template'] === '1' ? 1 : 0,
    uptime: Number(row['uptime']),
    cpu: Number(row['cpu']),
    maxcpu: Number(row['cpus']),
    mem: Number(row['mem']),
    maxmem: Number(row['maxmem']),
    memhost: Number(row['memhost']),
    disk: Number(row['disk']),
    maxdisk: Number(row['maxdisk']),
    netin: Number(row['netin']),
    netout: Number(row['netout']),
  };
}

/** Bytes in use per storage, and per node where the storage is not shared. */
export function bytesInUse(world: World): (node: string, storage: Storage) => number {
  const sums = new Map<string, number>();
  for (const volume of world.volumes) {
    const key = `${volume.node ?? ''}/${volume.storage}`;
    sums.set(key, (sums.get(key) ?? 0) + bytesTaken(volume));
  }
  return (node, { shared, storage }) => sums.get(`${shared ? '' : node}/${storage}`) ?? 0;
}
