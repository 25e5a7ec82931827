import { propertiesOf } from '../guest/configuration';
import type { ObservedCluster } from '../observed';
import type { Need } from './need';

/**
 * What it takes to connect a guest as a network device says. A virtual network stands in a zone that is not known
 * here, so a right on its name in any zone counts.
 */
export function bridgeNeeds(key: string, text: string, permissions: ObservedCluster['permissions']): Need[] {
  const { bridge, tag, trunks } = propertiesOf('net0', text);
  if (bridge === undefined) return [];
  const name = String(bridge);
  const vlans = [...(tag === undefined ? [] : [String(tag)]), ...vlansOf(trunks)];
  const parts = vlans.length === 0 ? [name] : vlans.map(vlan => `${name}/${vlan}`);
  return parts.map(part => ({
    what: `${key} on ${name}`,
    ways: zonesIn(permissions).map(zone => ({ path: `/sdn/zones/${zone}/${part}`, privilege: 'SDN.Use' })),
  }));
}

/** Whether Proxmox would list this bridge to the caller: the zones are those of `bridgeNeeds`. */
export function bridgeWays(bridge: string, permissions: ObservedCluster['permissions']): Need {
  const ways = zonesIn(permissions).flatMap(zone =>
    ['SDN.Use', 'SDN.Audit'].map(privilege => ({ path: `/sdn/zones/${zone}/${bridge}`, privilege })),
  );
  return { what: bridge, ways };
}

/** A bridge of the node itself is in `localnetwork`; the other zones are those that an access rule names. */
function zonesIn(permissions: ObservedCluster['permissions']): string[] {
  const named = Object.keys(permissions).flatMap(path => /^\/sdn\/zones\/([^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(['localnetwork', ...named])];
}

/** More ranges than there are VLANs are not counted out: Proxmox refuses them. */
function vlansOf(trunks: string | number | boolean | undefined): string[] {
  if (trunks === undefined) return [];
  return String(trunks)
    .split(';')
    .flatMap(range => {
      const [start = 0, end = start] = range.split('-').map(Number);
      const count = Math.min(4096, Math.max(0, end - start + 1)) || 0;
      return Array.from({ length: count }, (_, index) => String(start + index));
    });
}
