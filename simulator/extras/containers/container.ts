import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { Guest } from '../../world';
import { digestOf } from '../../guest/conf-file/load';
import { statusRow } from '../../guest/power/status';

const MiB = 1024 ** 2;

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

/** A container in a list. Its load is made up as a machine's is (assumed). */
export function containerRow(sim: Sim, guest: Guest): Record<string, unknown> {
  const { vmid, config, running } = guest;
  const { status, uptime, cpu, mem, netin, netout, maxdisk } = statusRow(sim, guest);
  return {
    vmid: String(vmid),
    type: 'lxc',
    name: config['hostname'] ?? `CT${vmid}`,
    ...{ status, uptime, cpu, mem, netin, netout, maxdisk },
    cpus: Number(config['cores'] ?? 1),
    maxmem: Number(config['memory'] ?? 512) * MiB,
    maxswap: Number(config['swap'] ?? 512) * MiB,
    disk: 0,
    swap: 0,
    diskread: 0,
    diskwrite: 0,
    ...(config['template'] === '1' && { template: 1 }),
    ...(config['lock'] !== undefined && { lock: config['lock'] }),
    ...(config['tags'] !== undefined && { tags: config['tags'] }),
    ...(running && { pid: running.pid }),
  };
}

/** The cards of a container that runs, with the addresses that its configuration names; null when it is off (assumed). */
export function interfacesOf({ config, running }: Guest): Record<string, unknown>[] | null {
  if (!running) return null;
  const cards = Object.entries(config)
    .filter(([key]) => /^net\d+$/.test(key))
    .map(([, text]) => {
      const { name = '', hwaddr = '', ip = '', ip6 = '' } = optionsOf(text);
      return card(name, hwaddr.toLowerCase(), ip, ip6);
    });
  return [card('lo', '00:00:00:00:00:00', '127.0.0.1/8', '::1/128'), ...cards];
}

function optionsOf(text: string): Record<string, string | undefined> {
  return Object.fromEntries(text.split(',').map(pair => pair.split('=')));
}

function card(name: string, mac: string, inet: string, inet6: string): Record<string, unknown> {
  const address = (cidr: string, type: string): Record<string, unknown>[] => {
    const [ip, prefix] = cidr.split('/');
    return prefix === undefined
      ? []
      : [{ 'ip-address': ip, prefix: Number(prefix), 'ip-address-type': type }];
  };
  const four = address(inet, 'inet');
  const six = address(inet6, 'inet6');
  return {
    name,
    hwaddr: mac,
    'hardware-address': mac,
    ...(four.length > 0 && { inet }),
    ...(six.length > 0 && { inet6 }),
    'ip-addresses': [...four, ...six],
  };
}
