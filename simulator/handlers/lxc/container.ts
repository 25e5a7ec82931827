import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { Guest } from '../../world';
import { digestOf } from '../../guest/conf-file/load';

// containers exist here to take ids and to be seen: they can be read, started and stopped, not changed

const NUMBERS = 'console cores cpuunits debug memory onboot protection swap template tty unprivileged'.split(
  ' ',
);

/** The container with this id on this node. A machine, or a guest of another node, is not there. */
export function loadContainer(sim: Sim, node: string, vmid: number): Guest {
  const guest = sim.world.guests[vmid];
  if (guest?.type === 'lxc' && guest.node === node) return guest;
  return fail(`Configuration file 'nodes/${node}/lxc/${vmid}.conf' does not exist`);
}

/** What GET config of a container answers. */
export function containerConfig(guest: Guest): Record<string, string | number> {
  const shown = Object.entries(guest.config).map(([key, raw]) => [
    key,
    NUMBERS.includes(key) ? Number(raw) : raw,
  ]);
  return { ...Object.fromEntries(shown), digest: digestOf(guest) };
}

/** A container in a list (assumed: nothing is measured in it). */
export function containerRow({ vmid, config, running }: Guest, now: number): Record<string, unknown> {
  const MiB = 1024 ** 2;
  return {
    vmid: String(vmid),
    type: 'lxc',
    name: config['hostname'] ?? `CT${vmid}`,
    status: running ? 'running' : 'stopped',
    cpus: Number(config['cores'] ?? 1),
    maxmem: Number(config['memory'] ?? 512) * MiB,
    maxswap: Number(config['swap'] ?? 512) * MiB,
    maxdisk: 0,
    cpu: 0,
    mem: 0,
    disk: 0,
    swap: 0,
    diskread: 0,
    diskwrite: 0,
    netin: 0,
    netout: 0,
    uptime: running ? Math.floor((now - running.since) / 1000) : 0,
    ...(config['template'] === '1' && { template: 1 }),
    ...(config['lock'] !== undefined && { lock: config['lock'] }),
    ...(config['tags'] !== undefined && { tags: config['tags'] }),
    ...(running && { pid: running.pid }),
  };
}
