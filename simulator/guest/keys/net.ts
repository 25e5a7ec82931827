import { requirePrivileges, isRootUser } from '../../access/privileges';
import { parsePropertyString, printPropertyString } from '../../schema/property-string';
import type { Sim } from '../../cluster/sim';
import type { Config } from '../../world';
import { configFormat } from './schema';

/** A network device taken apart: model, macaddr, bridge, tag and the rest. */
export type Net = Record<string, string>;

const FORMAT = configFormat('net0') ?? '';

/** Whether the key is a network device. */
export function isNetKey(key: string): boolean {
  return /^net\d+$/.test(key);
}

/** Takes a network device's line apart. */
export function parseNet(text: string): Net {
  return parsePropertyString(FORMAT, text);
}

/** The line as Proxmox writes it; a device without a MAC gets a new one each time. */
export function completeNet(sim: Sim, text: string): string {
  const net = parseNet(text);
  return printPropertyString(FORMAT, { ...net, macaddr: net['macaddr'] ?? newMac(sim) });
}

/** A random MAC under the datacenter's prefix. */
export function newMac(sim: Sim): string {
  const prefix = (sim.world.datacenter['mac_prefix'] ?? 'BC:24:11').replace(/:$/, '');
  return sim.random.mac(prefix);
}

/** Fails unless the user may connect guests to the bridges, or the VLANs on them, that these devices name. */
export function requireBridges(sim: Sim, user: string, settings: Config): void {
  if (isRootUser(user)) return;
  for (const key of Object.keys(settings).filter(isNetKey).sort()) {
    const { bridge, tag, trunks } = parseNet(settings[key] ?? '');
    if (bridge === undefined) continue;
    const path = `/sdn/zones/localnetwork/${bridge}`;
    const vlans = [...(tag === undefined ? [] : [tag]), ...(trunks === undefined ? [] : vlansOf(trunks))];
    const paths = vlans.length === 0 ? [path] : vlans.map(vlan => `${path}/${vlan}`);
    for (const each of paths) requirePrivileges(sim, user, each, ['SDN.Use']);
  }
}

function vlansOf(trunks: string): string[] {
  return trunks.split(';').flatMap(range => {
    const [start, end = start] = range.split('-').map(Number);
    // no more than there are VLANs: nobody may have us count to a billion
    const count = Math.min(4096, Math.max(0, (end ?? 0) - (start ?? 0) + 1));
    return Array.from({ length: count }, (_, index) => String((start ?? 0) + index));
  });
}
