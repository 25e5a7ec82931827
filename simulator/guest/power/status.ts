import { agentEnabled } from '../agent/enabled';
import { bootDiskSize } from '../drives/boot-disk';
import { memoryBytes } from '../qemu/memory';
import { runningNumbers, runningStatus } from '../qemu/process';
import { vgaStatus } from '../keys/vga';
import { haStatus } from '../../ha/guest-in-ha';
import type { Sim } from '../../cluster/sim';
import type { Config, Guest } from '../../world';

const MiB = 1024 ** 2;
const DEFAULT_SHARES = 1000;

/** One row of a node's guest list; with `full` also what only qemu itself can tell. */
export function statusRow(sim: Sim, guest: Guest, full = false): Record<string, unknown> {
  const { config, vmid, running } = guest;
  const row = {
    vmid,
    status: running ? 'running' : 'stopped',
    name: config['name'] ?? `VM ${vmid}`,
    cpus: cpuCount(sim, guest),
    disk: 0,
    maxdisk: bootDiskSize(config),
    maxmem: memoryBytes(config['memory']),
    uptime: 0,
    cpu: 0,
    mem: 0,
    memhost: 0,
    netin: 0,
    netout: 0,
    ...ballooning(config),
    ...marks(config),
    ...(running && runningNumbers(sim, guest, running)),
  };
  return full ? { ...row, ...runningStatus(guest) } : row;
}

/** What `status/current` answers: the full row and what it knows beyond it. */
export function currentStatus(sim: Sim, guest: Guest): Record<string, unknown> {
  return {
    ...statusRow(sim, guest, true),
    ha: haStatus(sim, guest),
    ...vgaStatus(guest.config['vga']),
    ...(agentEnabled(guest.config) && { agent: 1 }),
  };
}

function cpuCount(sim: Sim, { node, config }: Guest): number {
  if (Number(config['vcpus'] ?? 0) > 0) return Number(config['vcpus']);
  const wanted = Number(config['sockets'] ?? 1) * Number(config['cores'] ?? 1);
  const there = sim.world.nodes.find(({ name }) => name === node)?.cpus ?? wanted;
  return Math.min(wanted, there);
}

function ballooning(config: Config): Record<string, number> {
  const balloon = Number(config['balloon'] ?? 0);
  if (balloon === 0) return {};
  return { balloon_min: balloon * MiB, shares: Number(config['shares'] ?? DEFAULT_SHARES) };
}

function marks(config: Config): Record<string, unknown> {
  const serial = Object.keys(config).some(key => /^serial\d$/.test(key));
  return {
    ...(config['template'] === '1' && { template: 1 }),
    ...(serial && { serial: 1 }),
    ...(config['lock'] !== undefined && { lock: config['lock'] }),
    ...(config['tags'] !== undefined && { tags: config['tags'] }),
  };
}
